"""Whether a line says only what its source says."""

from __future__ import annotations

import pytest

from hipocampus.summarize.grounding import Ground

GROUND = Ground(
    "rate limiting #3f9c0a1b memory/2026-03-15.md:42\n"
    "chose a token bucket over a leaky bucket in src/limits.py, since bursts are legitimate; 429 with Retry-After\n"
    "Redis 7 in Seoul; maxRetries stays 3; measured 250ms at p99\n"
    "검색 색인은 매일 밤 배포 전에 다시 만든다\n"
)


@pytest.mark.parametrize("line", [
    "token bucket, bursts legitimate",
    "Token bucket over leaky bucket; src/limits.py; 429",
    "limits.py: Retry-After",
    "see memory/2026-03-15.md:42",
    "Redis 7, Seoul; p99 250 ms",
    "maxRetries 3",
    "검색 색인 매일 밤 배포 전",
    "",
    "ok, and then also more of it",
])  # fmt: skip
def test_what_the_source_says_may_be_said(line: str) -> None:
    """In its words, or some of them, with paths and numbers as they are."""
    assert GROUND.invented(line) == ""


@pytest.mark.parametrize(("line", "found"), [
    ("token bucket answers 418", "418"),
    ("token bucket in src/buckets.py", "src/buckets.py"),
    ("see memory/2026-03-15.md:43", "memory/2026-03-15.md:43"),
    ("see knowledge/limits.md", "knowledge/limits.md"),
    ("token bucket, moved to Kubernetes", "Kubernetes"),
    ("maxAttempts 3", "maxAttempts"),
    ("2027 token bucket", "2027"),
])  # fmt: skip
def test_one_thing_that_it_does_not_say_is_named(line: str, found: str) -> None:
    """A number, a path, a pointer or a name."""
    assert GROUND.invented(line) == found


@pytest.mark.parametrize("line", [
    "invoices archived quarterly by accounting robots",
    "결제 모듈 환불 규정 변경",
])  # fmt: skip
def test_a_line_about_something_else_is_named_whole(line: str) -> None:
    """Though it holds no number and no name."""
    assert GROUND.invented(line) == line


NAMES = (
    "api: rate limits",
    "feat(api): limits",
    "Bug fix: Login page",
    "core::Client",
    "src/limits.py: parser",
    "https://host.example:8080/path",
    "검색: 색인",
    "2026-03: what came of it",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("line", ["{}", "{}: done", "{}:done", "{} — done", "done, {}", "({}), done"])
def test_a_topic_is_not_taken_for_invented_because_its_name_holds_a_colon(name: str, line: str) -> None:
    """Wherever it stands in a line, and whatever follows it."""
    assert Ground(f"## {name} [project]\n- outcome: done\n").invented(line.format(name)) == ""


@pytest.mark.parametrize("line", ["api: Kubernetes limits", "limits, Kubernetes: rate", "api: limits: 418"])
def test_a_colon_hides_nothing_that_is(line: str) -> None:
    """What stands before or behind it is looked at like anything else."""
    assert Ground("## api: rate limits [project]\n- outcome: done\n").invented(line) in ("Kubernetes", "418")
