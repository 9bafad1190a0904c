"""Which files a patch changes."""

from __future__ import annotations

from hipocampus.hosts.patches import patched_files

PATCH = """\
*** Begin Patch
*** Update File: src/a b.py\x20
*** Move to: src/c.py
@@
-*** Delete File: no.py
+x
*** Add File: d.py
+*** Add File: no.py
*** Delete File: e.py
*** End Patch"""


def test_every_file_is_named_once_where_it_was_and_where_it_went() -> None:
    """The lines of a file that look like a heading begin with a sign and are none."""
    assert patched_files(PATCH) == ["src/a b.py", "src/c.py", "d.py", "e.py"]
    assert patched_files("nothing of the kind") == []
