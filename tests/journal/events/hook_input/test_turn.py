"""Events of prompts and turn ends."""

from __future__ import annotations

import pytest

from tests.journal.events.hook_input.made import event_of


@pytest.mark.parametrize(
    ("text", "attended", "origin"),
    [
        ("fix the cart", True, "human"),
        ("fix the cart", False, "sdk"),
        ("/review", True, "command"),
        ("<task-notification>done", True, "task-notification"),
        ("  <task-notification>done", False, "task-notification"),
        ("", True, "human"),
    ],
)
def test_who_a_prompt_is_from(text: str, attended: bool, origin: str) -> None:
    """Claude Code also submits prompts that nobody typed."""
    event = event_of("UserPromptSubmit", prompt=text, facts={"attended": attended})
    assert event["origin"] == origin


def test_a_long_prompt_keeps_its_beginning_and_its_end() -> None:
    """Five hundred characters of the beginning and two hundred of the end say what was asked."""
    text = "Begin. " + "x" * 2_000 + " Do not touch the lock file."
    event = event_of("UserPromptSubmit", prompt=text)
    assert (event["size"], len(event["text"]), len(event["end"])) == (len(text), 500, 200)
    assert event["text"].startswith("Begin. ")
    assert event["end"].endswith("Do not touch the lock file.")
    assert "end" not in event_of("UserPromptSubmit", prompt="x" * 500)


@pytest.mark.parametrize("settings", [{"level": "minimal"}, {"prompts": False}])
def test_prompts_need_not_be_stored(settings: dict) -> None:
    """Either setting leaves the text out; that there was a prompt, and its size, stays."""
    event = event_of("UserPromptSubmit", prompt="secret plan" * 100, **settings)
    assert event["size"] == 1100
    assert not {"text", "end"} & event.keys()


def test_a_secret_at_the_cut_does_not_stay() -> None:
    """The end of a prompt is redacted before it is cut, so that no half of a secret is left."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    event = event_of("UserPromptSubmit", prompt="x " * 400 + token + "y" * 180)
    assert token[-20:] not in event["end"]


@pytest.mark.parametrize(
    ("members", "same"),
    [
        ({"prompt_id": "p", "last_assistant_message": "Done."}, True),
        ({"prompt_id": "p", "last_assistant_message": "Really done."}, False),
        ({"prompt_id": "q", "last_assistant_message": "Done."}, False),
        ({"prompt_id": "p", "last_assistant_message": "Done.", "background_tasks": [1]}, False),
    ],
    ids=["the same", "another answer", "another prompt", "a task still runs"],
)
def test_which_turn_ends_are_one(members: dict, same: bool) -> None:
    """A turn's end is told from another by its prompt, its answer and its running tasks."""
    first = event_of("Stop", prompt_id="p", last_assistant_message="Done.")
    assert (event_of("Stop", **members)["key"] == first["key"]) is same


@pytest.mark.parametrize(
    ("hook", "member"), [("UserPromptSubmit", "prompt"), ("Stop", "last_assistant_message")]
)
def test_a_key_confirms_no_guess_of_a_secret(hook: str, member: str) -> None:
    """Texts that are redacted alike have one key; any other difference gives another."""

    def key(text: str) -> str:
        return event_of(hook, prompt_id="p", **{member: text})["key"]

    assert key("The password is Hunter22Rex.") == key("The password is Tr0ub4dor99.")
    assert key("The password is Hunter22Rex.") != key("My password is Hunter22Rex. ")


@pytest.mark.parametrize("text", ["fix a.py", "fix b.py ", "x" * 600])
def test_which_prompts_are_one(text: str) -> None:
    """A prompt is told from another by its text, and a long one by its size, too."""
    first = event_of("UserPromptSubmit", prompt_id="p", prompt="fix a.py")
    assert (event_of("UserPromptSubmit", prompt_id="p", prompt=text)["key"] == first["key"]) is (
        text == "fix a.py"
    )
    longer = event_of("UserPromptSubmit", prompt_id="p", prompt="x" * 601)
    assert longer["key"] != event_of("UserPromptSubmit", prompt_id="p", prompt="x" * 600)["key"]


def test_a_continued_turn_may_end_alike() -> None:
    """A turn that a Stop hook continues may end with the same words: each end counts."""
    event = event_of("Stop", prompt_id="p", last_assistant_message="Done.", stop_hook_active=True)
    assert event["key"].endswith(".")
    assert event["continued"] is True


def test_a_command_and_a_failed_turn() -> None:
    """A command has its name and arguments; a failed turn the client's kind of error."""
    event = event_of("UserPromptExpansion", command_name="p:x", command_args="a b", prompt_id="p",
                     command_source="plugin", expansion_type="slash_command")  # fmt: skip
    assert (event["name"], event["args"]) == ("p:x", "a b")
    assert (event["source"], event["kind"]) == ("plugin", "slash_command")
    assert event_of("StopFailure", error="rate_limit")["error"] == "rate_limit"
