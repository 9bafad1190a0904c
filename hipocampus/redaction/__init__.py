"""Secrets out of text: text in, text out."""

from hipocampus.redaction.findings import Finding, Redacted, Redaction
from hipocampus.redaction.policy import DEFAULT, Policy, make_policy
from hipocampus.redaction.redactor import redact, scrub, scrub_json
from hipocampus.redaction.secret_files import is_secret_file

__all__ = [
    "DEFAULT",
    "Finding",
    "Policy",
    "Redacted",
    "Redaction",
    "is_secret_file",
    "make_policy",
    "redact",
    "scrub",
    "scrub_json",
]
