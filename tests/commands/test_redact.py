"""`hipocampus redact`: a filter that takes the secrets and nothing else."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.redaction import redact

ROOT = Path(__file__).parents[2]


@pytest.fixture
def passed(env: dict[str, str], tmp_path: Path):
    """Run the filter as a process in an empty directory, bytes in and bytes out."""

    def run(data: bytes, *arguments: str, cwd: str | Path = tmp_path, through: str = '"$@"', **variables: str):
        command = ["/bin/sh", "-c", through, "sh", sys.executable, "-m", "hipocampus", "redact", *arguments]
        clean = {**env, "PYTHONPATH": str(ROOT), **variables}
        return subprocess.run(command, cwd=cwd, env=clean, input=data, capture_output=True, timeout=120)

    return run


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"no newline at the end",
        b"\xef\xbb\xbfa byte-order mark\r\nand CRLF\r\n\r\n",
        "배포 — 순서 🦛\n".encode(),
        b"\xff\xfe not UTF-8 \x80\x00\x1b[0m\n",
        b"\x0b\x0c\xc2\x85 odd line ends \xe2\x80\xa8\n",
    ],
)
def test_text_without_secrets_passes_as_it_is(passed, text: bytes) -> None:
    """Every byte of it."""
    done = passed(text)
    assert (done.returncode, done.stdout, done.stderr) == (0, text, b"")


def test_a_secret_goes_and_its_surroundings_stay(passed, secret: str) -> None:
    """Lines, line ends and bytes that are no text."""
    done = passed(f"one\r\nuse {secret}, 배포".encode() + b"\xff\r\nthree")
    assert done.stdout == "one\r\nuse [REDACTED:github-token], 배포".encode() + b"\xff\r\nthree"


def test_it_sees_the_whole_document(passed) -> None:
    """A key over many lines is one secret."""
    head, tail = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    body = "\n".join(f"{'aB3' * 21}{number}" for number in range(10, 20))
    done = passed(f"a\n{head}\n{body}\n{tail}\nb\n".encode())
    assert done.stdout.decode() == f"a\n{head}\n[REDACTED:private-key]\n{tail}\nb\n"


@pytest.mark.parametrize("locale", ["C", "ko_KR.cp949"])
def test_no_locale_changes_a_byte(passed, secret: str, locale: str) -> None:
    """Bytes in, bytes out."""
    done = passed(f"배포 {secret}".encode(), LC_ALL=locale, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.stdout.decode() == "배포 [REDACTED:github-token]"


def test_findings_are_kinds_and_places(passed, secret: str) -> None:
    """One JSON object for each on standard error, in characters of the input; never the value."""
    text = f"배포 {secret} x {secret}\n"
    done = passed(text.encode(), "--findings")
    shown = [json.loads(line) for line in done.stderr.decode().splitlines()]
    assert [finding["kind"] for finding in shown] == ["github-token", "github-token"]
    assert [text[finding["start"] : finding["end"]] for finding in shown] == [secret, secret]
    assert done.stdout.decode() == "배포 [REDACTED:github-token] x [REDACTED:github-token]\n"
    assert secret.encode() not in done.stderr


def test_standard_input_that_is_closed(passed) -> None:
    """There is nothing to pass on."""
    done = passed(b"", through='"$@" <&-')
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_reader_that_goes_away(passed) -> None:
    """`… | head -1` ends quietly."""
    done = passed(b"line\n" * 100_000, through='{ "$@"; echo "code $?" >&2; } | head -1')
    assert (done.stdout, done.stderr) == (b"line\n", b"code 0\n")


class TestLines:
    """`--jsonl`: a text in each line."""

    def lines(self, done: Any) -> list[Any]:
        """What came out."""
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_each_text_is_redacted_and_the_order_kept(self, passed, secret: str) -> None:
        """Ids are the caller's, whatever they are; a text may hold line breaks."""
        ids: list[object] = ["a", 2, None, {"x": 1}, f"id {secret}"]
        given = [{"id": one, "text": f"배포\n{secret}"} for one in ids]
        done = passed("\n".join(map(json.dumps, given)).encode(), "--jsonl")
        assert done.returncode == 0
        assert self.lines(done) == [{"id": one, "text": "배포\n[REDACTED:github-token]"} for one in ids]
        assert "배포" in done.stdout.decode()

    def test_findings_ride_along(self, passed, secret: str) -> None:
        """Beside the text, also where there is none."""
        given = [{"id": 1, "text": f"x {secret}"}, {"id": 2, "text": "x"}]
        done = passed("\n".join(map(json.dumps, given)).encode(), "--jsonl", "--findings")
        finding = {"kind": "github-token", "start": 2, "end": 2 + len(secret)}
        assert [line["findings"] for line in self.lines(done)] == [[finding], []]

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            (b"{", "not JSON"),
            (b"[]", 'not an object with a "text"'),
            (b'{"id": 1}', 'not an object with a "text"'),
            (b'{"id": 1, "text": 3}', 'not an object with a "text"'),
            (b'{"id": 1, "text": "\xff"}', "not UTF-8"),
            (b"[" * 100_000, "could not be redacted"),
        ],
    )
    def test_a_bad_line_is_named_and_the_rest_goes_on(self, passed, secret: str, line: bytes, reason: str) -> None:
        """By its number, blank lines counted; nothing of it is repeated; exit 1."""
        good = json.dumps({"id": 1, "text": f"x {secret}"}).encode()
        done = passed(b"\n".join([good, b"", line, good]), "--jsonl")
        assert done.returncode == 1
        assert [one["id"] for one in self.lines(done)] == [1, 1]
        assert done.stderr.decode().startswith("line 3: " + reason)
        assert len(done.stderr.splitlines()) == 1

    def test_half_a_character_stays_an_escape(self, passed) -> None:
        """JSON can hold what UTF-8 cannot."""
        done = passed(b'{"id":1,"text":"\\ud83d x"}', "--jsonl")
        assert self.lines(done) == [{"id": 1, "text": "\ud83d x"}]


class TestPolicy:
    """What the memory's config says."""

    @pytest.fixture
    def allowing(self, layout):
        """A home that allows a name, adds a rule, and has a pattern that is none."""
        settings = {"allow": ["("], "allowNames": ["demo_password"], "extra": [{"name": "ticket", "regex": "T-\\d+"}]}
        path = Path(layout.config)
        path.write_text(json.dumps({**json.loads(path.read_text()), "redact": settings}))
        return layout

    TEXT = b"see T-4711, demo_password=Tr0ub4dor&3"

    def test_inside_a_home_it_applies(self, passed, allowing) -> None:
        """And what is wrong in it is reported, not fatal."""
        done = passed(self.TEXT, cwd=allowing.root)
        assert done.stdout == b"see [REDACTED:ticket], demo_password=Tr0ub4dor&3"
        assert b"redact.allow" in done.stderr
        assert done.returncode == 0
        assert passed(self.TEXT, "--home", allowing.root).stdout == done.stdout
        assert passed(self.TEXT, HIPOCAMPUS_HOME=allowing.root).stdout == done.stdout

    def test_outside_one_the_rules_are_as_they_are(self, passed) -> None:
        """Nothing is allowed, nothing added."""
        done = passed(self.TEXT)
        assert done.stdout == b"see T-4711, demo_password=[REDACTED:password]"
        assert done.stderr == b""

    def test_a_home_that_is_not_trusted_allows_nothing(self, passed, allowing, env) -> None:
        """Its config came from elsewhere."""
        (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
        assert b"demo_password=[REDACTED:password]" in passed(self.TEXT, cwd=allowing.root).stdout

    def test_a_home_that_is_not_there(self, passed, tmp_path) -> None:
        """A home that was named must exist."""
        done = passed(b"x", "--home", str(tmp_path / "none"))
        assert (done.returncode, done.stdout) == (1, b"")


def test_it_is_the_engine(shell, tmp_path, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it prints is what the library makes of the text; the text-only stand-in of a notebook gets it too."""
    text = f"# log\n{secret}\nAuthorization: Bearer {secret[4:]}abc\n"
    assert shell("redact", cwd=tmp_path, stdin=text.encode()).out == redact(text).text
    monkeypatch.setattr(sys, "stdout", stream := io.StringIO())
    shell("redact", cwd=tmp_path, stdin=text.encode())
    assert stream.getvalue() == redact(text).text
