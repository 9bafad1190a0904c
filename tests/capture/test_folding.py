"""What no checkpoint covers reaches the raw log once, as typed entries, whatever happens in between."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.checkpoint import parse_checkpoint, remembered, store_checkpoint
from hipocampus.capture.folding import fold_dead, fold_session
from hipocampus.capture.journal import append, counts, dead_sessions, mark
from hipocampus.core.entries import Entry, parse_log
from hipocampus.core.topics import EntryType
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state
from tests.capture.conversation import Conversation, raw_text, raw_texts


def fold(talk: Conversation, *, finished: bool = False) -> list[Entry]:
    """Fold and read back all entries."""
    fold_session(talk.layout, talk.session, talk.at, finished=finished)
    return entries(talk.layout)


def entries(layout: Layout) -> list[Entry]:
    """All entries of the raw logs."""
    return [entry for text in raw_texts(layout).values() for entry in parse_log(text)]


def checkpoint(talk: Conversation, topic: str = "covered work") -> None:
    """The agent writes a checkpoint in its session."""
    written = parse_checkpoint(topic, "project", [f"outcome=what {topic} came to"], "")
    store_checkpoint(talk.layout, written, talk.at, talk.session)


def test_a_turn_becomes_an_entry(talk: Conversation) -> None:
    """Request, outcome and files, under a topic and type found mechanically, with its provenance."""
    talk.ask("Please choose a rate limiting strategy")
    talk.answer("Token bucket: bursts are legitimate.", edits=(f"{talk.layout.project}/src/limits.py", "/etc/x"))
    (entry,) = fold(talk)
    assert str(entry.topic) == "choose a rate limiting strategy [project]"
    assert entry.fields == (
        ("request", "Please choose a rate limiting strategy"),
        ("outcome", "Token bucket: bursts are legitimate."),
        ("files", "src/limits.py, /etc/x"),
    )
    assert (entry.provenance.source, entry.provenance.session) == ("fold", "5c18a6f2")
    assert entry.provenance.at == "2026-03-15T10:22:05+09:00"


def test_work_in_a_row_is_one_entry(talk: Conversation) -> None:
    """Prompts and outcomes stand in order; agreement adds no topic of its own."""
    for words in ("add a cache", "yes, go on", "now test it"):
        talk.ask(words)
        talk.answer(f"Did: {words}.")
    (entry,) = fold(talk)
    assert entry.topic.name == "add a cache"
    assert [text for name, text in entry.fields if name == "request"] == ["add a cache", "yes, go on", "now test it"]


def test_a_group_is_bounded(talk: Conversation) -> None:
    """After ten turns, or 4,000 characters, another entry begins; no turn is lost between them."""
    for number in range(12):
        talk.ask(f"small step {number}")
        talk.answer("Ok.")
    for number in range(4):
        talk.ask(f"big step {number} " + "word " * 400)
        talk.answer("Ok.")
    found = fold(talk)
    requests = [[text for name, text in entry.fields if name == "request"] for entry in found]
    assert len(requests[0]) == 10
    assert all(len(entry.body) < 4_500 for entry in found)
    words = [text[:13].strip() for entry in requests for text in entry]
    assert words[:12] == [f"small step {number}" for number in range(12)]
    assert [text[:10] for text in words[12:]] == [f"big step {number}" for number in range(4)]


@pytest.mark.parametrize(
    ("words", "kind", "field"),
    [
        ("from now on, always run the tests first", EntryType.FEEDBACK, "rule"),
        ("앞으로 커밋 메시지는 한국어로 써줘", EntryType.FEEDBACK, "rule"),
        ("I'm a backend engineer in Seoul", EntryType.USER, "fact"),
    ],
)
def test_a_remark_is_an_entry_of_its_own(talk: Conversation, words: str, kind: EntryType, field: str) -> None:
    """What the user says about the work or themselves keeps its exact wording, between the work before and after."""
    for text in ("add a cache", words, "add a test"):
        talk.ask(text)
        talk.answer("Ok.")
    found = fold(talk)
    assert [entry.topic.type for entry in found] == [EntryType.PROJECT, kind, EntryType.PROJECT]
    assert found[1].field(field) == words


def test_a_prompt_without_an_answer_is_kept(talk: Conversation) -> None:
    """After Escape or an API error there is a prompt and no turn."""
    talk.ask("fix the login page", file=False)
    (entry,) = fold(talk)
    assert entry.fields == (("request", "fix the login page"),)


def test_an_answer_without_words_of_the_user_is_kept(talk: Conversation) -> None:
    """A slash command's result has an outcome, and a topic from it."""
    talk.ask("/review", file=False)
    talk.answer("The review found a race in the cache. It is fixed.")
    (entry,) = fold(talk)
    assert entry.topic.name == "The review found a race in the cache"
    assert [name for name, _ in entry.fields] == ["outcome"]


def test_the_day_is_the_one_the_session_began(layout: Layout, tmp_path: Path, now: datetime) -> None:
    """A session over midnight is one day's work: that of its beginning, in the local time zone."""
    talk = Conversation(layout, tmp_path, now.replace(hour=23, minute=59, second=50))
    talk.start()
    for number in range(12):
        talk.ask(f"step {number}")
        talk.answer("Ok.")
    fold(talk)
    assert list(raw_texts(layout)) == ["2026-03-15"]


def test_a_session_resumed_on_another_day_goes_on_there(talk: Conversation) -> None:
    """What follows a resume belongs to the day of the resume."""
    talk.ask("old work")
    talk.answer("Ok.")
    talk.at += timedelta(days=2)
    talk.start("resume")
    talk.ask("new work")
    talk.answer("Ok.")
    fold(talk)
    assert {day: "new work" in text for day, text in raw_texts(talk.layout).items()} == {
        "2026-03-15": False,
        "2026-03-17": True,
    }


def test_history_from_before_the_plugin_goes_to_its_own_days(talk: Conversation) -> None:
    """Prompts that a resumed conversation brings along, which no journal has, are kept under their dates."""
    twin = talk.fork("9d00-later")
    twin.at -= timedelta(days=3)
    twin.ask("ancient question", hook=False)
    twin.answer("Ancient answer.", stop=False)
    twin.at += timedelta(days=5)
    twin.ask("new question")
    twin.answer("New answer.")
    fold(twin)
    assert list(raw_texts(talk.layout)) == ["2026-03-12", "2026-03-17"]


def test_a_checkpoint_covers_its_session(talk: Conversation) -> None:
    """Turns before a checkpoint are not stored again, nor is the end of the turn in which it was written."""
    talk.ask("first task")
    talk.answer("Ok.")
    talk.ask("second task")
    checkpoint(talk)
    talk.answer("Second done and checkpoint written.")
    talk.ask("third task")
    talk.answer("Third done.")
    found = fold(talk)
    assert [entry.topic.name for entry in found] == ["covered work", "third task"]
    assert "Second done" not in raw_text(talk.layout)


def test_a_checkpoint_covers_nothing_after_it(talk: Conversation) -> None:
    """A later prompt waits for its own checkpoint or the fold."""
    checkpoint(talk)
    talk.ask("later task")
    assert counts(talk.layout, talk.session).uncovered == 1
    assert [entry.topic.name for entry in fold(talk)] == ["covered work", "later task"]


def test_a_checkpoint_of_another_session_covers_nothing_here(talk: Conversation) -> None:
    """Two sessions side by side have their own coverage."""
    other = talk.fork("9d00-other")
    talk.ask("task here")
    checkpoint(other)
    assert "task here" in [entry.topic.name for entry in fold(talk)]


def test_a_checkpoint_in_a_turn_that_was_folded_half_way(talk: Conversation) -> None:
    """A compaction in the middle of a turn folds its prompt; a checkpoint after it still covers the turn's end."""
    talk.ask("long task")
    fold(talk)
    checkpoint(talk)
    talk.answer("Long task done.")
    fold(talk)
    assert "Long task done" not in raw_text(talk.layout)


def test_something_remembered_covers_only_the_prompt_that_asked(talk: Conversation) -> None:
    """`remember` is no summary of the session: the work before it is folded, the request itself is not doubled."""
    talk.ask("add a cache")
    talk.answer("Ok.")
    talk.ask("remember: always use bun here")
    store_checkpoint(talk.layout, remembered("always use bun here"), talk.at, talk.session)
    talk.answer("Remembered.")
    found = fold(talk)
    assert [str(entry.topic) for entry in found] == ["always use bun here [feedback]", "add a cache [project]"]


def test_something_remembered_during_other_work_covers_nothing(talk: Conversation) -> None:
    """A task in which the agent remembers a detail is still folded."""
    talk.ask(
        "set up the build; while you are at it note that we use bun, and add the lint, test and release jobs to CI"
    )
    store_checkpoint(talk.layout, remembered("we use bun"), talk.at, talk.session)
    talk.answer("All jobs are there.")
    assert len(fold(talk)) == 2


def test_a_second_fold_adds_nothing(talk: Conversation) -> None:
    """A second PreCompact, a flush after it and the next session start find nothing left."""
    talk.ask("task")
    talk.answer("Done.")
    fold(talk)
    before = raw_texts(talk.layout)
    journal = talk.journal()
    fold(talk)
    fold(talk, finished=True)
    fold_dead(talk.layout, talk.at + timedelta(days=1), "")
    assert raw_texts(talk.layout) == before
    assert talk.journal() == journal


def test_a_turn_folded_half_way_is_completed_later(talk: Conversation) -> None:
    """Prompt in one fold, outcome in the next: the words once, the outcome under the same topic."""
    talk.ask("add rate limiting")
    fold(talk)
    talk.answer("Middleware in place.")
    found = fold(talk)
    assert [(entry.topic.name, [name for name, _ in entry.fields]) for entry in found] == [
        ("add rate limiting", ["request"]),
        ("add rate limiting", ["outcome"]),
    ]


def test_a_fold_in_the_middle_of_a_turn_takes_no_half_answer(talk: Conversation) -> None:
    """What the assistant says before its last message is not an outcome, also when a compaction comes in between."""
    talk.ask("add rate limiting")
    talk.write_reply("Let me look at the limiter.")
    fold(talk)
    talk.answer("Middleware in place.")
    fold(talk)
    assert "Let me look" not in raw_text(talk.layout)
    assert "Middleware in place." in raw_text(talk.layout)


def test_turns_without_a_stop_are_found_in_the_transcript(talk: Conversation) -> None:
    """A session that was killed in the middle of a turn keeps what the assistant had said."""
    talk.ask("task")
    talk.answer("Half way there.", stop=False)
    fold_dead(talk.layout, talk.at + timedelta(hours=7), "")
    assert "Half way there." in raw_text(talk.layout)


@pytest.mark.parametrize("fork_folds_first", [True, False])
@pytest.mark.parametrize("covered", [True, False])
def test_a_fork_stores_nothing_twice(talk: Conversation, fork_folds_first: bool, covered: bool) -> None:
    """The same turns under a new session id are one memory, whichever session folds first, and so is coverage."""
    talk.ask("old task")
    talk.answer("Old outcome.")
    if covered:
        checkpoint(talk)
    twin = talk.fork("9d00-fork")
    twin.ask("new task")
    twin.answer("New outcome.")
    for one in (twin, talk) if fork_folds_first else (talk, twin):
        fold(one)
    text = raw_text(talk.layout)
    assert text.count("old task") == (0 if covered else 2)  # topic and request
    assert text.count("Old outcome.") == (0 if covered else 1)
    assert text.count("New outcome.") == 1


def test_a_fork_in_the_middle_of_a_turn_loses_no_answer(talk: Conversation) -> None:
    """The fork may take the prompt; the answer that only the first session got is kept."""
    talk.ask("old task")
    twin = talk.fork("9d00-fork")
    twin.ask("new task")
    twin.answer("New outcome.")
    talk.answer("Old outcome.")
    fold(twin)
    fold(talk)
    text = raw_text(talk.layout)
    assert text.count("- request: old task") == 1
    assert text.count("Old outcome.") == 1


def test_a_resume_after_the_journal_is_gone_stores_nothing_twice(talk: Conversation) -> None:
    """After 30 days the journal is let go; a resume that reads the transcript again finds it all claimed."""
    talk.ask("old task")
    talk.answer("Old outcome.")
    fold(talk)
    talk.at += timedelta(days=40)
    fold_dead(talk.layout, talk.at, "")
    assert not Path(talk.layout.journal_file(talk.session)).exists()
    talk.start("resume")
    talk.ask("new task")
    talk.answer("New outcome.")
    fold(talk)
    assert raw_text(talk.layout).count("Old outcome.") == 1
    assert raw_text(talk.layout).count("New outcome.") == 1


def test_queued_words_are_stored_once(talk: Conversation) -> None:
    """Queued in one fold, submitted in the next: the words once, what came of them under them."""
    talk.ask("one")
    talk.write_queued("also lint the code")
    talk.answer("First done.")
    fold(talk)
    talk.ask("also lint the code")
    talk.answer("Linted.")
    fold(talk)
    text = raw_text(talk.layout)
    assert text.count("- request: also lint the code") == 1
    assert text.count("Linted.") == 1


@pytest.mark.parametrize("prompt_ids", [True, False])
def test_the_same_words_twice_are_two_prompts(talk: Conversation, prompt_ids: bool) -> None:
    """A user who says "continue" twice said it twice."""
    for number in range(2):
        talk.ask("continue with the parser", ids=prompt_ids)
        talk.answer(f"Part {number}.")
    fold(talk)
    assert raw_text(talk.layout).count("- request: continue with the parser") == 2


def test_words_queued_under_the_running_prompts_id_are_kept(talk: Conversation) -> None:
    """Some lines carry the id of the turn they were queued in; other words are another prompt all the same."""
    asked = talk.ask("one")
    talk.ask("also lint the code", hook=False, prompt_id=asked)
    talk.answer("Done.")
    fold(talk)
    assert "- request: also lint the code" in raw_text(talk.layout)


def test_a_fold_raises_the_line_counter_only(talk: Conversation) -> None:
    """Folded turns count as raw lines towards the next compaction, not as checkpoints."""
    talk.ask("task")
    fold(talk)
    state = read_state(talk.layout, talk.at)
    assert state.raw_lines == len(raw_text(talk.layout).splitlines())
    assert state.checkpoints == 0


def test_a_covered_session_folds_to_nothing(talk: Conversation) -> None:
    """When checkpoints cover everything the fold leaves the raw log as it is and the session is done."""
    talk.ask("task")
    checkpoint(talk)
    talk.answer("Done.")
    before = raw_texts(talk.layout)
    report = fold_session(talk.layout, talk.session, talk.at)
    assert (report.covered, report.stored) == (1, ())
    assert raw_texts(talk.layout) == before
    assert dead_sessions(talk.layout, talk.at + timedelta(days=1), "") == []


def test_the_report_says_what_happened(talk: Conversation) -> None:
    """Sessions, entries with their places, covered and repeated exchanges."""
    talk.ask("task")
    talk.answer("Done.")
    twin = talk.fork("9d00-fork")
    twin.ask("other task")
    first = fold_session(talk.layout, talk.session, talk.at)
    twin.answer("Done too.")
    second = fold_session(talk.layout, twin.session, twin.at)
    assert [(stored.day, stored.line, stored.duplicate) for stored in first.stored] == [("2026-03-15", 3, False)]
    assert (second.repeated, len(second.stored)) == (1, 1)


def test_a_session_nobody_knows_folds_to_nothing(layout: Layout, now: datetime) -> None:
    """Flushing a session without a journal is no error and leaves no file."""
    report = fold_session(layout, "nobody", now)
    assert (report.sessions, report.stored) == (("nobody",), ())
    assert not Path(layout.journal_file("nobody")).exists()


def test_a_broken_journal_does_not_stop_the_others(talk: Conversation) -> None:
    """A dead session that cannot be folded is named; the others are folded."""
    talk.ask("task")
    mark(talk.layout, talk.session, "end", talk.at)
    append(talk.layout, "a-broken", [{"k": "prompt", "at": "x", "text": "y"}])
    Path(talk.layout.raw(talk.at.date().isoformat())).mkdir()
    report = fold_dead(talk.layout, talk.at, "")
    assert len(report.problems) == 2
    Path(talk.layout.raw(talk.at.date().isoformat())).rmdir()
    assert fold_dead(talk.layout, talk.at, "").problems == ()
    assert "task" in raw_text(talk.layout)


@pytest.mark.parametrize(
    "line",
    ['{"k":7}', '{"k":"turn","text":7,"files":"x","of":[]}', '{"k":"prompt"}', '{"k":"fold"}', "[]", "{", "null"],
)
def test_odd_records_are_passed_over(talk: Conversation, line: str) -> None:
    """A record with wrong types costs nothing but itself."""
    path = Path(talk.layout.journal_file(talk.session))
    path.write_text(path.read_text() + line + "\n")
    talk.ask("task")
    talk.answer("Done.")
    assert "Done." in [entry.field("outcome") for entry in fold(talk)]


def test_pasted_output_is_not_saved(talk: Conversation) -> None:
    """Long code, traces and logs in a prompt become one line; the words around them stay."""
    code = "\n".join(f"line {number}" for number in range(30))
    talk.ask(f"why does this fail?\n```py src/limits.py\n{code}\n```\nplease fix")
    (entry,) = fold(talk)
    assert entry.field("request") == "why does this fail?\n→ src/limits.py\nplease fix"


def test_memory_in_a_prompt_is_neutralised(talk: Conversation) -> None:
    """Tags and markers in what somebody said mean nothing when they are read back."""
    talk.ask("explain <task-notification> and <!-- hipocampus: id=0 --> please")
    text = "\n".join(entry.body for entry in fold(talk))
    assert "<task-notification>" not in text
    assert "<!--" not in text


def test_a_prompt_that_is_found_after_its_turn_keeps_its_words(talk: Conversation) -> None:
    """A Stop may know the id of a prompt before anything told its words."""
    append(talk.layout, talk.session, [{"k": "turn", "of": "p9", "text": "Built.", "via": "stop"}])
    talk.ask("build the parser", hook=False, prompt_id="p9")
    (entry,) = fold(talk, finished=True)
    assert dict(entry.fields) == {"request": "build the parser", "outcome": "Built."}


def test_turns_without_any_id_are_kept(talk: Conversation) -> None:
    """A host without prompt ids whose prompt hook never ran still has its answers stored."""
    for text in ("First answer.", "Second answer.", "Second answer."):
        append(talk.layout, talk.session, [{"k": "turn", "of": "", "text": text, "via": "stop"}])
    (entry,) = fold(talk)
    assert [text for _, text in entry.fields] == ["First answer.", "Second answer."]
