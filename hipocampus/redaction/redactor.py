"""Text in, text without secrets out."""

from __future__ import annotations

import json
import re

from hipocampus.redaction.findings import Finding, Redacted, Redaction
from hipocampus.redaction.policy import DEFAULT, Policy

_SHAPES = re.compile(
    r"(?P<github_token>gh[posur]_[A-Za-z0-9]{20,255})|(?P<anthropic_key>sk-ant-[\w-]{20,255})"
    r"|(?P<aws_access_key>\bA(?:KI|SI)A[A-Z0-9]{16}\b)"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?P<private_key>[^-]{20,20000})-----END"
)


def redact(text: str, policy: Policy = DEFAULT) -> Redaction:
    """`text` with each secret replaced by ``[REDACTED:<kind>]``, and where they stood."""
    findings = []
    for match in _SHAPES.finditer(text):
        name = match.lastgroup or ""
        findings.append(Finding(name.replace("_", "-"), *match.span(name)))
    parts, done = [], 0
    for finding in findings:
        parts += [text[done : finding.start], f"[REDACTED:{finding.kind}]"]
        done = finding.end
    return Redaction(Redacted("".join(parts) + text[done:]), tuple(findings))


def scrub(text: str, policy: Policy = DEFAULT) -> Redacted:
    """`text` without secrets; never raises, and never hands back text that was not searched."""
    try:
        return redact(text, policy).text
    except Exception as error:
        return Redacted(f"[REDACTED:unscannable {len(text)} bytes: {type(error).__name__}]")


def scrub_json(value: object, policy: Policy = DEFAULT) -> Redacted:
    """`value` as one line of compact JSON in which every string, keys too, has been scrubbed."""
    return Redacted(json.dumps(_scrubbed(value, policy), ensure_ascii=False, separators=(",", ":")))


def _scrubbed(value: object, policy: Policy) -> object:
    match value:
        case str():
            return str(scrub(value, policy))
        case dict():
            return {str(scrub(str(key), policy)): _scrubbed(item, policy) for key, item in value.items()}
        case list() | tuple():
            return [_scrubbed(item, policy) for item in value]
        case _:
            return value
