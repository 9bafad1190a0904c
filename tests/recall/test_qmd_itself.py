"""The real qmd, where HIPOCAMPUS_E2E_QMD names its program.

It is not part of CI: with its models' runtime it takes minutes and most of a gigabyte to install. What it printed is
recorded in tests/recall/stand_in.py.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hipocampus.recall import qmd
from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.search import Filters, hits_of
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

PROGRAM = os.environ.get("HIPOCAMPUS_E2E_QMD", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="HIPOCAMPUS_E2E_QMD names no qmd")
ON = replace(defaults(), search_qmd=True)
LOG = """## Rate limiting [project]
- decisions: token bucket in src/limits.py

## 결제 모듈 [project]
- outcome: 결제 모듈은 토스페이먼츠 API를 쓴다
"""


def test_the_real_program_is_registered_refreshed_and_asked(layout: Layout, env: dict[str, str]) -> None:
    """Everything that it keeps lies in the user state; what it finds is shown as ours; it notices a new log."""
    programs = Path(env["HIPOCAMPUS_STATE"]).parent / "programs"
    programs.mkdir()
    (programs / "qmd").symlink_to(os.path.realpath(PROGRAM))
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    Path(layout.raw("2026-03-10")).write_text(LOG, encoding="utf-8")
    assert qmd.refresh(layout, ON, env) == "its collections are registered"
    assert qmd.refresh(layout, ON, env) == ""
    Path(layout.raw("2026-03-11")).write_text("## Quince [project]\n- outcome: the press was oiled\n", encoding="utf-8")
    assert qmd.refresh(layout, ON, env) == "1 file taken up or dropped"
    refresh_index(layout, ON)
    with closing(open_to_read(layout)) as base:
        for query, pointer in (
            ("how is the token bucket set up", "memory/2026-03-10.md:1"),
            ("-quince", "memory/2026-03-11.md:1"),
            ("토스페이먼츠", "memory/2026-03-10.md:4"),
        ):
            found = qmd.candidates(base, layout, env, query)
            assert [hit.pointer for hit in hits_of(layout, base, query, found, Filters(), 5).shown] == [pointer]
        assert qmd.candidates(base, layout, env, "xylophone quartet") == {}
    assert os.listdir(env["HOME"]) == []
    Path(qmd.folder_of(layout, env), "index.sqlite").write_bytes(b"no database" * 99)
    assert qmd.refresh(layout, ON, env) == "its collections are registered again"
    assert qmd.refresh(layout, defaults(), env) == "its collections are removed"
