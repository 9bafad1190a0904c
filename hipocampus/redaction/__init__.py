"""Secrets are taken out of text before anything else happens to it."""

from hipocampus.redaction.findings import Finding, Redacted, Redaction
from hipocampus.redaction.policy import DEFAULT, Policy
from hipocampus.redaction.redactor import redact, scrub, scrub_json

__all__ = ["DEFAULT", "Finding", "Policy", "Redacted", "Redaction", "redact", "scrub", "scrub_json"]
