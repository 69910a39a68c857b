"""A session in Korean: a payment service in Kotlin and Python scripts."""

from tests.recall.session import Session

PAYMENT = Session(
    "ko",
    [
        ("prompt", "결제 취소가 두 번 처리되는 문제를 고쳐 주세요. 외부 API 호출 방식은 절대 바꾸지 마세요. 티켓 PAY-31."),
        ("read", "src/main/kotlin/pay/CancelService.kt"),
        ("say", "원인은 재시도할 때 잠금을 잡지 않기 때문에 두 요청이 동시에 통과하는 것입니다."),
        ("edit", "src/main/kotlin/pay/CancelService.kt"),
        ("fail", "./gradlew test --tests CancelServiceTest",
         "> Task :compileKotlin\n" + "> Task :other\n" * 60 +
         "CancelServiceTest > 취소는 한 번만 처리된다 FAILED\n"
         "    java.lang.AssertionError: expected 1 cancel but was 2 at CancelServiceTest.kt:44\n"
         "BUILD FAILED in 9s"),
        ("edit", "src/main/kotlin/pay/LockStore.kt"),
        ("run", "./gradlew test --tests CancelServiceTest", "BUILD SUCCESSFUL"),
        ("prompt", "계속"),
        ("refuse", "아니요, 데이터베이스 잠금 말고 Redis 잠금을 사용하세요"),
        ("say", "데이터베이스 잠금 대신 Redis 잠금을 채택했습니다. 복제 지연을 피하기 위해서입니다."),
        ("ask", "잠금 만료 시간은 얼마로 할까요?", ["5초", "30초"], "5초"),
        ("prompt", "네"),
        ("run", "python scripts/replay_cancel.py --dry-run", "ok"),
        ("run", "git commit -am '취소 잠금'", "[main 7fa20be] 취소 잠금"),
        ("say", "커밋 7fa20be 에서 테스트 31건이 통과했습니다."),
        ("prompt", "로그에는 카드 번호를 반드시 가려서 남겨 주세요. 그리고 배포 문서를 갱신해 주세요."),
        ("edit", "docs/deploy/cancel.md"),
        ("prompt", "진행해"),
    ],
    "1. 요청: 결제 취소 중복 처리 문제 수정.\n2. 변경: src/main/kotlin/pay/CancelService.kt.\n3. 남은 일: 배포 문서.",
    [
        ("constraint", "words", "외부 API 호출 방식은 절대 바꾸지 마세요"),
        ("constraint", "words", "로그에는 카드 번호를 반드시 가려서 남겨 주세요"),
        ("refusal", "words", "데이터베이스 잠금 말고 Redis 잠금을 사용하세요"),
        ("decision", "words", "재시도할 때 잠금을 잡지 않기 때문에 두 요청이 동시에 통과"),
        ("decision", "words", "데이터베이스 잠금 대신 Redis 잠금을 채택했습니다"),
        ("choice", "words", "잠금 만료 시간은 얼마로 할까요? 5초"),
        ("file", "path", "src/main/kotlin/pay/LockStore.kt"),
        ("file", "path", "docs/deploy/cancel.md"),
        ("error", "words", "java.lang.AssertionError: expected 1 cancel but was 2 at CancelServiceTest.kt"),
        ("fix", "pair", ["java.lang.AssertionError: expected 1 cancel but was 2", "LockStore.kt"]),
        ("command", "command", "./gradlew test --tests CancelServiceTest"),
        ("command", "command", "python scripts/replay_cancel.py --dry-run"),
        ("id", "token", "PAY-31"),
        ("id", "token", "7fa20be"),
    ],
)  # fmt: skip
