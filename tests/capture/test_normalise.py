"""Long code, traces, diffs and logs become one line; everything else stays as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.capture.normalise import normalise

CODE = "\n".join(f"x{number} = {number}" for number in range(12))
PYTHON = """Traceback (most recent call last):
  File "/app/a.py", line 3, in <module>
    main()
  File "/app/a.py", line 2, in main
    1 / 0
ZeroDivisionError: division by zero"""
CHAINED = f"""{PYTHON}

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/b.py", line 9, in handler
    raise RuntimeError("no limiter")
RuntimeError: no limiter"""
JAVASCRIPT = """TypeError: limit is not a function
    at check (/app/src/limits.js:10:5)
    at Layer.handle (/app/node_modules/express/lib/router/layer.js:95:5)
    at next (/app/node_modules/express/lib/router/route.js:144:13)"""
JAVA = """java.lang.IllegalStateException: cannot start
\tat com.example.App.start(App.java:14)
\tat com.example.App.main(App.java:5)
Caused by: java.io.IOException: port in use
\tat com.example.Server.bind(Server.java:77)
\t... 2 more"""
DIFF = """diff --git a/src/limits.py b/src/limits.py
index 83db48f..bf269f4 100644
--- a/src/limits.py
+++ b/src/limits.py
@@ -1,4 +1,5 @@
 import time
-BURST = 10
+BURST = 20
+RATE = 5

 def check():"""
LOG = "\n".join(f"2026-03-15 10:22:0{number} INFO request served" for number in range(8))
TROUBLE = LOG + "\n2026-03-15 10:22:09 ERROR bucket overflow\n2026-03-15 10:22:10 INFO request served"

# text, and what is saved of it
RULES = [
    ("long code", f"see\n```python\n{CODE}\n```\nso", "see\n(code, 12 lines, left out)\nso"),
    ("code with a file in its info", f"```py src/a.py\n{CODE}\n```", "→ src/a.py"),
    ("code with a titled file", f'```py title="src/a.py:3-14"\n{CODE}\n```', "→ src/a.py:3-14"),
    ("code with lines first", f"```12:30:src/a.py\n{CODE}\n```", "→ src/a.py:12-30"),
    ("code that begins with its file", f"```py\n# src/a.py\n{CODE}\n```", "→ src/a.py"),
    ("code that a line introduces", f"In `src/a.py:10`:\n```\n{CODE}\n```", "In `src/a.py:10`:\n→ src/a.py:10"),
    ("tildes", f"~~~\n{CODE}\n~~~", "(code, 12 lines, left out)"),
    ("indented code", f"  ```\n{CODE}\n  ```", "(code, 12 lines, left out)"),
    ("short code stays", "```\na\nb\nc\nd\ne\n```", "```\na\nb\nc\nd\ne\n```"),
    ("an open fence takes nothing with it", f"```\n{CODE}\nwords", f"```\n{CODE}\nwords"),
    ("a Python trace", f"it says\n{PYTHON}\nwhy?", "it says\nZeroDivisionError: division by zero\nwhy?"),
    ("a chained trace", CHAINED, "RuntimeError: no limiter"),
    ("a fenced trace", f"```\n{PYTHON}\n```", "ZeroDivisionError: division by zero"),
    ("a JavaScript trace", f"it says\n{JAVASCRIPT}", "it says\nTypeError: limit is not a function"),
    ("a Java trace", JAVA, "Caused by: java.io.IOException: port in use"),
    ("a diff", f"I did\n{DIFF}\nand", "I did\n(diff of src/limits.py: +2 −1)\nand"),
    ("a fenced diff", f"```diff\n{DIFF}\n```", "(diff of src/limits.py: +2 −1)"),
    ("a diff without headers", "```diff\n-a\n+b\n+c\n d\n e\n f\n```", "(diff: +2 −1)"),
    ("log output", f"see\n{LOG}\nok", "see\n(log, 8 lines) 2026-03-15 10:22:07 INFO request served\nok"),
    ("a log with trouble", TROUBLE, "(log, 10 lines) 2026-03-15 10:22:09 ERROR bucket overflow"),
    ("a fenced log", "```console\n$ make\na\nb\nc\nd\nerror: x\n```", "(log, 6 lines) error: x"),
    ("a short log stays", "10:22:03 a\n10:22:04 b", "10:22:03 a\n10:22:04 b"),
    ("a list", "- one\n- two\n  at the end\n- three", "- one\n- two\n  at the end\n- three"),
    ("signs that are no diff", "--- a title ---\n+ plus\n- minus", "--- a title ---\n+ plus\n- minus"),
    ("a rule", "a\n---\nb", "a\n---\nb"),
    ("Korean", "속도 제한을\n추가해줘", "속도 제한을\n추가해줘"),
]


@pytest.mark.parametrize(("text", "saved"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_what_is_saved(text: str, saved: str) -> None:
    """Each kind of output becomes the one line that says what it was."""
    assert normalise(text) == saved


PIECES = st.sampled_from(
    [
        "```",
        "```py src/a.py",
        "~~~",
        CODE,
        PYTHON,
        JAVASCRIPT,
        JAVA,
        DIFF,
        LOG,
        "words",
        "",
        "  at x (y)",
        "@@ -1,2 +1,2 @@",
        "--- a",
        "+++ b",
    ]
)


@given(st.lists(PIECES | st.text(max_size=20), max_size=8).map("\n".join))
def test_doing_it_twice_changes_nothing(text: str) -> None:
    """What was made one line is not made shorter again."""
    once = normalise(text)
    assert normalise(once) == once


@given(st.lists(st.text(alphabet="abc .,:한국", max_size=30), max_size=12).map("\n".join))
def test_prose_stays(text: str) -> None:
    """Text without code, traces, diffs or logs is not changed at all."""
    assert normalise(text) == text
