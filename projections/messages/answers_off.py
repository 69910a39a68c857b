"""Notices from hooks that cannot answer, because msgspec is missing or nothing can be appended.

Uses only the standard library and no views, because nothing else is available then. So the language
is that of the setting `messages.language`, English for "auto". Errors are always in English.
"""

from __future__ import annotations

from journal.text import LANGUAGES, phrase

WHAT = "answers-off"
"""Value of `what` in the `advice.given` event that records the notice, once per session."""

# answers_off: this interpreter records but cannot answer. journal_off: hooks cannot append; `remedy`
# may follow. capture_off: a project switches recording off. lock_fails: two hooks wrote at the same
# time, though each held the lock.
TEXTS = {
    "answers_off": (
        "journal: hooks record events, but messages are off: {interpreter} {why}. To turn them on, run once: {command} setup (it installs msgspec where hooks find it)",
        "journal：フックはイベントを記録しますが、メッセージはオフです：{interpreter} {why}。オンにするには一度実行：{command} setup（フックが見つけられる場所に msgspec を入れます）",
        "journal: 훅이 이벤트를 기록하지만 메시지는 꺼져 있습니다: {interpreter} {why}. 켜려면 한 번 실행: {command} setup(훅이 찾는 곳에 msgspec을 설치합니다)",
    ),
    "journal_off": (
        "journal is off: {path} {what}.",
        "journal はオフです：{path} {what}。",
        "journal이 꺼져 있습니다: {path} {what}.",
    ),
    "remedy": (
        " To turn it on: {remedy}.",
        "オンにするには：{remedy}。",
        " 켜려면: {remedy}.",
    ),
    "capture_off": (
        'journal: {file} of this project sets capture.level = "off", so nothing is recorded here. If that is not your choice, remove the line. This notice appears once.',
        'journal：このプロジェクトの {file} に capture.level = "off" があるため、ここでは何も記録されません。自分で選んだのでなければ、その行を削除してください。この通知は一度だけです。',
        'journal: 이 프로젝트의 {file}에 capture.level = "off"가 있어 여기서는 아무것도 기록되지 않습니다. 직접 정한 것이 아니라면 그 줄을 지우세요. 이 알림은 한 번만 나옵니다.',
    ),
    "lock_fails": (
        "journal: two hooks wrote to {directory} at the same time: the file system there grants a lock to both, as some network file systems do. Nothing is lost, but the log is not in order: run journal repair, then set JOURNAL_HOME to a directory on a local disk.",
        "journal：2 つのフックが {directory} に同時に書き込みました。一部のネットワークファイルシステムのように、両方にロックを与えています。失われたものはありませんが、ログの順序が乱れています。journal repair を実行し、JOURNAL_HOME をローカルディスクのディレクトリにしてください。",
        "journal: 훅 두 개가 {directory}에 동시에 썼습니다. 일부 네트워크 파일 시스템처럼 둘 다에 잠금을 내주었습니다. 잃은 것은 없지만 로그의 순서가 어긋났습니다. journal repair를 실행하고 JOURNAL_HOME을 로컬 디스크의 디렉터리로 정하세요.",
    ),
}


def notice(setting: str, name: str, **values: str) -> str:
    """Return a notice.

    Args:
        setting: the value of `messages.language`.
        name: its key in `TEXTS`.
        values: of its fields. why, what: predicates such as "has no msgspec". command: path of the
            journal command. file: the project's settings file.

    """
    language = setting if setting in LANGUAGES else LANGUAGES[0]
    return phrase(language, TEXTS[name], **values)
