"""The forms in which a checkpoint may be written: options, Markdown, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hipocampus.capture.normalise import normalise
from hipocampus.core.entries import parse_log
from hipocampus.errors import UserError
from hipocampus.redaction import scrub


@dataclass(frozen=True, slots=True)
class Written:
    """A checkpoint as somebody wrote it, not yet checked. What was not said is empty."""

    topic: str = ""
    type: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def from_options(topic: str, type_name: str, fields: Sequence[str]) -> Written:
    """From ``--topic``, ``--type`` and each ``--field name=text``; UserError for a field without a name."""
    return Written(topic.strip(), type_name.strip(), tuple(_option(field) for field in fields))


def from_text(text: str) -> Written:
    """From a Markdown section or a JSON object; UserError where the text is neither, or is more than one."""
    plain = text.removeprefix("\ufeff").strip()
    if not plain:
        return Written()
    return _from_json(plain) if plain.startswith("{") else _from_markdown(plain)


_NAME = re.compile(r"[a-z][a-z -]{0,23}")


def _name(text: str) -> str:
    name = text.strip().casefold().replace("_", "-")
    if not _NAME.fullmatch(name):
        raise UserError(
            f"{text!r} cannot be the name of a field: use up to 24 letters, such as request or how-to-apply"
        )
    return name


def _option(field: str) -> tuple[str, str]:
    name, mark, said = field.partition("=")
    if not mark:
        raise UserError(f"a field is given as name=text, for example --field outcome=done; this one is not: {field!r}")
    return _name(name), said


def _from_json(text: str) -> Written:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"the checkpoint on standard input is not valid JSON: {error}") from None
    given = dict(value)
    topic, kind = _plain(given.pop("topic", "")), _plain(given.pop("type", ""))
    fields = given.pop("fields", {})
    if isinstance(fields, dict):
        given |= fields
    return Written(topic, kind, tuple((_name(name), _plain(said)) for name, said in given.items()))


def _plain(value: object) -> str:
    match value:
        case str():
            return value
        case None:
            return ""
        case list():
            return "\n".join(_plain(one) for one in value)
        case bool() | int() | float():
            return str(value)
        case _:
            raise UserError("a value in the JSON checkpoint is neither text nor a list of texts")


_FIELD = re.compile(r"[-*+] (?:\*\*)?(?P<name>[A-Za-z][A-Za-z _-]{0,23})(?:\*\*)?:(?:\*\*)? ?(?P<said>.*)")
_TAG = re.compile(r"\[\s*([A-Za-z][A-Za-z-]{1,19})\s*(?:,[^\]]*)?\]\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def _from_markdown(text: str) -> Written:
    sections = parse_log(text)
    if len(sections) > 1:
        raise UserError(f"{len(sections)} sections on standard input; give one checkpoint at a time")
    (section,) = sections
    heading = text.replace("\r\n", "\n").split("\n")[section.line - 1]
    tag = _TAG.search(heading) if heading.startswith("## ") else None
    # Long code is taken out first, so that no line of it can look like a field; secrets before that, while whole.
    fields = tuple(_fields(normalise(scrub(section.body)).split("\n")))
    return Written(section.topic.name if heading.startswith("## ") else "", tag[1] if tag is not None else "", fields)


def _fields(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Fields with the lines that follow them; text before the first field is a field named notes."""
    fields: list[tuple[str, list[str]]] = []
    fenced = False
    for line in lines:
        match = None if fenced else _FIELD.fullmatch(line)
        if match is not None:
            fields.append((_name(match["name"]), [match["said"]]))
        elif fields:
            fields[-1][1].append(line)
        elif line.strip():
            fields.append(("notes", [line]))
        fenced ^= _FENCE.match(line) is not None
    return [(name, "\n".join([said[0], *_dedented(said[1:])])) for name, said in fields]


def _dedented(lines: list[str]) -> list[str]:
    """Further lines without the indent that makes them belong to their field, where all of them have it."""
    has_indent = all(line.startswith("  ") for line in lines if line.strip())
    return [line.removeprefix("  ") for line in lines] if has_indent else lines
