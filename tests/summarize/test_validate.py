"""What may become the text of a node: a table of answers that may not, and what is done to those that may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.compaction.digest import LASTING
from hipocampus.core.nodes import read_sections
from hipocampus.core.periods import Level
from hipocampus.core.topics import parse_topic_line
from hipocampus.redaction import DEFAULT, redact
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.matter import Matter
from hipocampus.summarize.validate import validated

from .scripted import RULE, bare, good, headings, waiting, without

SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"


@pytest.fixture
def matter(layout: Layout, now: datetime) -> Matter:
    """A long day: forty topics of work, a rule and a fact about the user."""
    return waiting(layout, defaults(), now)


def prose(matter: Matter) -> str:
    """The same in sentences."""
    return good(matter).replace("token bucket", "it was what we had to do and so we did it with the token bucket")


Spoil = Callable[[Matter], str]
BAD: list[tuple[str, Spoil, str]] = [
    ("empty", lambda _: "", "fewer than 50 bytes"),
    ("a word", lambda _: "## Topics", "fewer than 50 bytes"),
    ("white space", lambda _: " \n\t" * 60, "fewer than 50 bytes"),
    ("refusal", lambda _: "I'm sorry, but I can't help with summarising this conversation for you.", "refuses"),
    ("refusal in typography", lambda _: "I can’t assist with that request, as it would be against policy.", "refuses"),
    ("Korean refusal", lambda _: "죄송합니다. 이 요청은 도와드릴 수 없습니다. 다른 것을 물어봐 주세요.", "refuses"),
    ("API error", lambda _: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', "error message"),
    ("JSON error", lambda _: '{"type": "error", "error": {"type": "rate_limit_error", "of": "x"}}', "error message"),
    ("traceback", lambda _: "Traceback (most recent call last):\n  File x\nValueError: no luck today", "error message"),
    ("fence", lambda matter: f"```markdown\n{good(matter)}\n```", "code fence"),
    ("fence inside", lambda matter: good(matter) + "\n~~~\nrm -rf /\n~~~", "code fence"),
    ("preamble", lambda matter: f"Here is the summary:\n\n{good(matter)}", "before its first section"),
    ("title", lambda matter: f"# Summary\n\n{good(matter)}", "before its first section"),
    ("epilogue", lambda matter: f"{good(matter)}\n\nLet me know if you need anything else!", "is prose"),
    ("a section of its own", lambda matter: f"{good(matter)}\n\n## Thoughts\n- none", "no section that belongs here"),
    ("a section twice", lambda matter: f"{good(matter)}\n\n## Topics\n- none", "no section that belongs here"),
    ("deeper headings", lambda matter: f"{good(matter)}\n### More\n- none", "no section that belongs here"),
    ("no topics", lambda matter: without(good(matter), "## Topics"), "before its first section"),
    ("a section is missing", lambda matter: without(good(matter), "## Open Items"), "are missing: Open Items"),
    ("one endless line", lambda matter: good(matter) + "\n- " + "queue part 1 " * 60, "over 600 characters"),
    ("too long", lambda matter: good(matter) + "\n- queue part 1: metrics" * 2_000, "longer than what it sums up"),
    ("prose", prose, "prose, not keywords"),
    ("a secret", lambda matter: good(matter) + f"\n- queue part 1: token {SECRET}", "looks like a secret"),
    ("a topic", lambda matter: good(matter).replace("## Topics", "## Topics\n- Kubernetes migration [project] — done"),
     "names 1 topic that its input does not have"),
    ("a topic under the id of another", lambda matter: good(matter).replace("queue part 3 of", "billing of"),
     "names 1 topic that its input does not have"),
    ("most topics are missing", lambda matter: without(good(matter), *(f"part {n} of" for n in range(30))),
     "of 40 topics are missing"),
    ("only headings", lambda _: "\n\n".join(headings(Level.DAILY)), "of 40 topics are missing"),
    ("a stub", bare, "sections below the topics are empty"),
    ("another text", lambda matter: good(matter).replace("token bucket", "sliding window Postgres ledger"),
     "are not in its input"),
    ("other numbers", lambda matter: good(matter).replace("token", "token 77777"), "are not in its input"),
    ("other paths", lambda matter: good(matter).replace("token", "lib/core/token.py"), "are not in its input"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "reason"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_no_summary_is_refused(matter: Matter, spoil: Spoil, reason: str) -> None:
    """With a sentence that says why and repeats no secret."""
    verdict = validated(matter, spoil(matter), DEFAULT)
    assert verdict.text == ""
    assert reason in "; ".join(verdict.reasons)
    assert SECRET not in "; ".join(verdict.reasons)


def test_a_good_answer_is_taken_whole(matter: Matter) -> None:
    """Every line of it, and nothing had to be put back or left out."""
    verdict = validated(matter, good(matter), DEFAULT)
    assert (verdict.reasons, verdict.put_back, verdict.left_out) == ((), (), ())
    assert len(verdict.text) < matter.longest
    items = [line for line in good(matter).split("\n") if line.startswith("- ") and "[" not in line]
    assert [line for line in items if line not in verdict.text] == []


def test_topics_keep_the_head_that_the_program_gave_them(matter: Matter) -> None:
    """Day, pointer, id and weight are those of the source, whatever the answer wrote there."""
    spoilt = good(matter).replace("[project] #", "[project] 2001-01-01 memory/2001-01-01.md:1 #")
    lines = [parse_topic_line(line) for line in read_sections(validated(matter, spoilt, DEFAULT).text)["Topics"]]
    heads = [(line.topic, line.day, line.pointer, line.id, line.weight) for line in matter.digest.topics]
    assert [(line.topic, line.day, line.pointer, line.id, line.weight) for line in lines if line] == heads


NAMES = (
    "api: limits",
    "feat(api): limits: rows",
    "limits — and bursts",
    "jitter - bursts",
    "limits [v2]: rows",
    "fix #12: a",
)


@pytest.mark.parametrize("form", [
    "- {name} [project] #{id} — middleware",
    "- {name} [project] #{id}: middleware",
    "- {name} [project] #{id}",
    "- {name} [project] — middleware",
    "- {name} [project]: middleware",
    "- {name} [project]",
])  # fmt: skip
def test_a_topic_is_known_whatever_signs_its_name_holds(matter: Matter, form: str) -> None:
    """As long as its type stands behind it, it is neither invented nor missing."""
    kept, lines = matter.digest.topics[:-6], zip(matter.digest.topics[-6:], NAMES, strict=True)
    named = [replace(line, topic=replace(line.topic, name=name), words="middleware") for line, name in lines]
    asked = replace(matter, digest=replace(matter.digest, topics=(*kept, *named)))
    answer = good(asked)
    for line in named:
        (row,) = (row for row in answer.split("\n") if f"#{line.id}" in row)
        answer = answer.replace(row, form.format(name=line.topic.name, id=line.id))
    verdict = validated(asked, answer, DEFAULT)
    assert (verdict.reasons, verdict.put_back) == ((), ())
    assert [line for line in named if str(line) not in verdict.text] == []


@pytest.mark.parametrize("spoil", [
    lambda answer: without(answer, "[feedback]", "[user]"),
    lambda answer: answer.replace("[feedback]", "[feedback] — use npm, the rule was changed"),
    lambda answer: answer.replace("Package manager [feedback]", "Package manager [project]"),
])  # fmt: skip
def test_what_the_user_said_stays_word_for_word(matter: Matter, spoil: Callable[[str], str]) -> None:
    """It is put back where it was dropped, reworded or called something else."""
    text = validated(matter, spoil(good(matter)), DEFAULT).text
    lasting = [str(line) for line in matter.digest.topics if line.topic.type in LASTING]
    assert len(lasting) == 2
    assert all(line in text for line in lasting)
    assert RULE in text
    assert "rule was changed" not in text


def test_a_few_topics_are_put_back(matter: Matter) -> None:
    """As the mechanical summary has them, and they are named."""
    verdict = validated(matter, without(good(matter), "part 7 of", "part 8 of"), DEFAULT)
    assert set(verdict.put_back) >= {"queue part 7 of 2026-03-10 [project]", "queue part 8 of 2026-03-10 [project]"}
    lines = [
        str(line) for line in matter.digest.topics if line.topic.name.startswith(("queue part 7 ", "queue part 8 "))
    ]
    assert all(line in verdict.text for line in lines)


def test_a_section_that_was_left_empty_is_put_back(matter: Matter) -> None:
    """What was learnt is not lost because an answer had nothing under its heading."""
    lessons = [str(item) for item in matter.digest.items["lessons"]]  # type: ignore[index]
    verdict = validated(matter, without(good(matter), *lessons), DEFAULT)
    assert "## Lessons Learned" in verdict.put_back
    assert read_sections(verdict.text)["Lessons Learned"] == tuple(lessons)


@pytest.mark.parametrize("line", [
    "- queue part 1: migrated to Kubernetes",
    "- queue part 1: answers 418",
    "- queue part 1: middleware in src/invented.py",
    "- queue part 1: see memory/2026-03-10.md:9999",
    "- queue part 1: see knowledge/invented.md",
    "- billing ledger: rewritten from scratch in Rust overnight",
])  # fmt: skip
def test_a_line_that_the_source_does_not_say_is_left_out(matter: Matter, line: str) -> None:
    """Where the rest may be believed."""
    verdict = validated(matter, f"{good(matter)}\n{line}", DEFAULT)
    assert verdict.text
    assert line not in verdict.text
    assert len(verdict.left_out) == 1


def test_invented_words_for_a_topic_give_way_to_what_its_entry_says(matter: Matter) -> None:
    """The topic stays named, with the mechanical words."""
    line = next(line for line in matter.digest.topics if line.topic.name.startswith("queue part 5 "))
    rows = [f"- {line.topic} #{line.id} — moved to Kubernetes in Ohio" if f"#{line.id}" in row else row
            for row in good(matter).split("\n")]  # fmt: skip
    verdict = validated(matter, "\n".join(rows), DEFAULT)
    assert str(line) in verdict.text
    assert "Ohio" not in verdict.text


def test_a_day_that_the_source_does_not_have_is_no_day(matter: Matter) -> None:
    """An item keeps its words and loses a wrong date."""
    verdict = validated(matter, f"{good(matter)}\n- queue part 1: metrics (2026-03-03)", DEFAULT)
    assert "2026-03-03" not in verdict.text


def test_a_better_summary_is_not_replaced_by_a_worse_one(matter: Matter) -> None:
    """One that says hardly half of what is there is refused."""
    rich = " ".join(f"telling{number}" for number in range(4_000))
    verdict = validated(matter, good(matter), DEFAULT, existing=rich)
    assert "says less than the summary that is there" in verdict.reasons[0]


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_answer_whatsoever_loses_what_the_user_said_or_brings_a_secret_in(
    matter: Matter, data: st.DataObject
) -> None:
    """Pieces of good answers, hostile lines and any text, in any order."""
    lines = good(matter).split("\n")
    hostile = [
        f"- token: {SECRET}",
        f"- Package manager [feedback] — api_key={SECRET}",
        "- Package manager [feedback] — use npm",
        "<!-- hipocampus: added since -->",
        "<!-- hipocampus: summary -->",
        "---",
        "\x1b[2J- queue part 1: token bucket",
        "## Topics",
    ]
    kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)) | st.just([True] * len(lines)))
    rows = [line for line, is_kept in zip(lines, kept, strict=True) if is_kept]
    extra = data.draw(st.lists(st.sampled_from(hostile) | st.text(max_size=60), max_size=4))
    at = data.draw(st.integers(0, len(rows)))
    verdict = validated(matter, "\n".join([*rows[:at], *extra, *rows[at:]]), DEFAULT)
    assert not verdict.text or all(
        str(line) in verdict.text for line in matter.digest.topics if line.topic.type in LASTING
    )
    assert redact(verdict.text, DEFAULT).findings == ()
    assert SECRET not in repr(verdict)
    assert "<!--" not in verdict.text
    assert "\x1b" not in verdict.text
    assert bool(verdict.text) != bool(verdict.reasons)
