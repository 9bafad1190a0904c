"""The page about redaction names every kind that can be written, and none that cannot."""

from __future__ import annotations

import pathlib
import re

from hipocampus.redaction.providers import PROVIDERS
from hipocampus.redaction.rules import RULES
from hipocampus.redaction.shapes import MARKED
from hipocampus.redaction.webhooks import WEBHOOKS

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = "".join(path.read_text("utf-8") for path in sorted((ROOT / "hipocampus" / "redaction").glob("*.py")))


def documented() -> list[str]:
    """The kinds of the page's lists."""
    page = (ROOT / "docs" / "redaction.md").read_text("utf-8")
    return re.findall(r"`([a-z0-9-]+)`", page.partition("## Kinds")[2].partition("\n## ")[0])


def test_every_kind_of_a_table_is_on_the_page_once():
    """Providers, shapes, webhooks and context rules."""
    kinds = {row[0] for row in (*PROVIDERS, *MARKED, *WEBHOOKS)} | {rule[2] for rule in RULES}
    listed = documented()

    assert kinds - set(listed) == set()
    assert len(listed) == len(set(listed))


def test_no_kind_is_on_the_page_that_no_rule_writes():
    """Each is a literal of the package."""
    assert [kind for kind in documented() if f'"{kind}"' not in SOURCES] == []


def test_every_kind_that_a_rule_writes_by_itself_is_on_the_page():
    """Spans of fixed shapes are made with their kind beside them."""
    made = re.findall(r', "([a-z0-9-]+)", None', SOURCES)

    assert len(made) >= 8
    assert set(made) - set(documented()) == set()
