"""From hook and transcript together each turn reaches the journal once."""

from __future__ import annotations

import os

import pytest

from hipocampus.capture.journal import counts, record_turn
from hipocampus.capture.turns import catch_up, journal_turn
from tests.capture.conversation import Conversation


def prompts(talk: Conversation) -> list[object]:
    """The texts of journalled prompts."""
    return [record["text"] for record in talk.records("prompt")]


def turns(talk: Conversation) -> list[tuple[object, object]]:
    """Prompt id and text of each journalled turn."""
    return [(record["of"], record["text"]) for record in talk.records("turn")]


def test_a_turn_is_its_last_message_its_tools_and_its_files(talk: Conversation) -> None:
    """Tools stand by name, once and in order; files are those that were changed; no tool output, no earlier message."""
    talk.ask("fix it")
    talk.write_reply("Let me look.")
    talk.write_tool("Bash", {"command": "cat SECRET"})
    talk.write({"type": "user", "message": {"content": [{"type": "tool_result", "content": "SECRET OUTPUT"}]}})
    talk.answer("Fixed.", edits=("/p/a.py", "/p/b.py", "/p/a.py"))
    (turn,) = talk.records("turn")
    assert (turn["of"], turn["text"], turn["tools"]) == (talk.running, "Fixed.", ["Bash", "Edit"])
    assert turn["files"] == ["/p/a.py", "/p/b.py"]
    assert "SECRET" not in str(talk.journal())


def test_a_last_message_that_reaches_the_file_late_is_not_a_second_turn(talk: Conversation) -> None:
    """The message comes from the hook; the transcript's copy, read at the next Stop, is known."""
    first = talk.ask("one")
    talk.answer("First done.")
    second = talk.ask("two")
    talk.answer("Second done.")
    assert turns(talk) == [(first, "First done."), (second, "Second done.")]


def test_equal_answers_to_two_prompts_are_two_turns(talk: Conversation) -> None:
    """ "Done." twice in a row is not a repetition."""
    first = talk.ask("one")
    talk.answer("Done.")
    second = talk.ask("two")
    talk.answer("Done.")
    assert turns(talk) == [(first, "Done."), (second, "Done.")]


def test_the_transcript_line_of_a_journalled_prompt_is_no_second_prompt(talk: Conversation) -> None:
    """The hook told it first; the line adds its uuid only."""
    talk.ask("one")
    talk.answer("Done.")
    assert prompts(talk) == ["one"]
    assert [set(record) for record in talk.records("echo")] == [{"k", "at", "pid", "uuid", "via"}]


def test_without_prompt_ids_words_decide_one_for_one(talk: Conversation) -> None:
    """A host without prompt ids: the same words twice are two prompts, each with its line."""
    for _ in range(2):
        talk.ask("continue", ids=False)
        talk.answer("Went on.")
    assert prompts(talk) == ["continue", "continue"]
    assert len(talk.records("echo")) == 2
    assert [text for _, text in turns(talk)] == ["Went on.", "Went on."]


def test_a_prompt_only_the_transcript_has_is_journalled(talk: Conversation) -> None:
    """A prompt whose hook did not run (killed, timed out) is found at the next Stop."""
    talk.ask("lost by the hook", hook=False)
    talk.answer("Done.")
    assert prompts(talk) == ["lost by the hook"]


@pytest.mark.parametrize("late_hook", [False, True])
def test_queued_words_are_kept_once(talk: Conversation, late_hook: bool) -> None:
    """What the user typed during a turn is kept, also where it is told again as attachment and as a prompt."""
    talk.ask("one")
    talk.write_queued("also lint")
    if not late_hook:
        talk.write_attached("also lint")
    talk.answer("Done.")
    if late_hook:
        talk.ask("also lint")
        talk.answer("Linted.")
    words = [record["text"] for record in talk.records("prompt")]
    assert words.count("also lint") == (2 if late_hook else 1)  # the fold knows the hook's prompt as the queued one
    assert counts(talk.layout, talk.session).uncovered >= 2


def test_queued_words_do_not_end_the_running_turn(talk: Conversation) -> None:
    """The message before they came is no outcome; the one at the end is."""
    asked = talk.ask("one")
    talk.write_reply("Let me look at the limiter.")
    talk.write_attached("also lint")
    talk.answer("Both done.", edits=("/p/a.py",))
    assert turns(talk) == [(asked, "Both done.")]


def test_a_turn_that_was_interrupted_is_found_at_the_next_stop(talk: Conversation) -> None:
    """After Escape there is no Stop; what the assistant had said belongs to its own prompt."""
    first = talk.ask("one")
    talk.answer("Half of it is", stop=False)
    talk.write_prompt([{"type": "text", "text": "[Request interrupted by user]"}])
    second = talk.ask("two")
    talk.answer("Done.")
    assert turns(talk) == [(first, "Half of it is"), (second, "Done.")]


def test_a_stop_that_fires_twice_is_one_turn(talk: Conversation) -> None:
    """Two installations, or a repeated event, do not double the turn."""
    talk.ask("one")
    event = talk.event("stop", last_assistant_message="Done.")
    record_turn(talk.layout, event, talk.at)
    record_turn(talk.layout, event, talk.at)
    assert turns(talk) == [(talk.running, "Done.")]


def test_a_stop_without_a_transcript_keeps_the_message(talk: Conversation) -> None:
    """In a short first turn the file may not exist; the message comes from the hook."""
    talk.ask("one", file=False)
    talk.answer("Done.", file=False)
    assert turns(talk) == [(talk.running, "Done.")]


def test_a_stop_without_a_message_takes_the_one_in_the_transcript(talk: Conversation) -> None:
    """A host that does not hand over the message still has its turn recorded."""
    talk.ask("one")
    talk.write_reply("Done, from the file.")
    talk.answer("", file=False)
    assert turns(talk) == [(talk.running, "Done, from the file.")]


@pytest.mark.parametrize("shorter", [True, False])
def test_a_rewritten_transcript_repeats_nothing(talk: Conversation, shorter: bool) -> None:
    """A transcript that was cut or replaced is read again from its beginning, and what is known stays known."""
    for number in range(3):
        talk.ask(f"prompt {number}")
        talk.answer(f"answer {number}", edits=(f"/p/{number}.py",))
    before = (prompts(talk), turns(talk))
    content = talk.transcript.read_bytes()
    os.unlink(talk.transcript)
    talk.transcript.write_bytes(content[: content.rindex(b"\n", 0, len(content) // 2) + 1] if shorter else content)
    talk.ask("prompt 3")
    talk.answer("answer 3")
    assert prompts(talk) == [*before[0], "prompt 3"]
    assert turns(talk) == [*before[1], (talk.running, "answer 3")]


def test_history_that_a_fork_brings_along_is_told_apart(talk: Conversation) -> None:
    """What is older than the journal is past: kept, but not counted as uncovered work of this session."""
    talk.ask("old question")
    talk.answer("old answer")
    twin = talk.fork("9d00-fork")
    twin.ask("new question")
    twin.answer("new answer")
    assert [record["text"] for record in twin.records("past")] == ["old question"]
    assert prompts(twin) == ["new question"]
    assert counts(twin.layout, twin.session).uncovered == 1


def test_a_long_history_is_caught_up_with_in_pieces(talk: Conversation) -> None:
    """A Stop reads a bounded part; the turn that ended is recorded at once, the history by and by and only once."""
    for number in range(30):
        talk.ask(f"old {number}", hook=False)
        talk.answer(f"answer {number}", stop=False)
    talk.ask("now")
    event = talk.event("stop", last_assistant_message="Now done.")
    journal_turn(talk.layout, event, talk.at, limit=4_000)
    assert (talk.running, "Now done.") in turns(talk)
    assert len(turns(talk)) < 31
    for _ in range(30):
        journal_turn(talk.layout, event, talk.at, limit=4_000)
    assert sorted(text for _, text in turns(talk)) == sorted(
        ["Now done.", *(f"answer {number}" for number in range(30))]
    )
    assert sorted(map(str, prompts(talk))) == sorted(["now", *(f"old {number}" for number in range(30))])


def test_catching_up_leaves_a_running_turn_alone(talk: Conversation) -> None:
    """In the middle of a turn its last message so far is no outcome; once the session is over it is all there is."""
    asked = talk.ask("one")
    talk.write_reply("Let me look.")
    catch_up(talk.layout, talk.session, talk.at, str(talk.transcript), finished=False)
    assert turns(talk) == []
    catch_up(talk.layout, talk.session, talk.at, "", finished=True)
    assert turns(talk) == [(asked, "Let me look.")]


def test_catching_up_twice_adds_nothing(talk: Conversation) -> None:
    """The offset is remembered, and without it the content is known."""
    talk.ask("one")
    talk.answer("Done.", stop=False)
    for _ in range(2):
        catch_up(talk.layout, talk.session, talk.at, "", finished=True)
    assert len(turns(talk)) == 1


def test_a_turn_of_a_command_without_words_has_its_own_prompt(talk: Conversation) -> None:
    """What a slash command led to is not put under the prompt before it."""
    first = talk.ask("one")
    talk.answer("Done.")
    command = talk.ask("/review", file=False)
    talk.write_prompt("<command-message>review</command-message>\n<command-name>/review</command-name>")
    talk.answer("The review found nothing.")
    assert turns(talk) == [(first, "Done."), (command, "The review found nothing.")]
