"""A package index without a network: a directory of wheels, made of what is installed here."""

from __future__ import annotations

import importlib.metadata
import re
import zipfile
from pathlib import Path

from hipocampus.store.requirements import EXTRAS, REQUIREMENTS, needed

# What folding and compaction run on is taken from this environment; of the rest the name is enough.
REAL = ("filelock", "python-frontmatter", "pyyaml")


def make_index(folder: Path) -> Path:
    """Put a wheel for each requirement there, without requirements of its own."""
    for requirement in needed(EXTRAS):
        name, _, least = re.split(r"([<>=!~]+)", requirement)
        version = importlib.metadata.version(name) if requirement in REQUIREMENTS else least
        modules = _installed(name) if name in REAL else {f"{name.replace('-', '_')}/__init__.py": b""}
        _wheel(folder, name, version, modules)
    return folder


def _installed(name: str) -> dict[str, bytes]:
    """The modules of an installed package, by their path in site-packages."""
    files = importlib.metadata.files(name) or []
    return {
        file.as_posix(): Path(str(file.locate())).read_bytes()
        for file in files
        if not file.parts[0].startswith("..") and ".dist-info" not in file.parts[0] and "__pycache__" not in file.parts
    }


def _wheel(folder: Path, name: str, version: str, modules: dict[str, bytes]) -> None:
    project = name.replace("-", "_")
    info = f"{project}-{version}.dist-info"
    meta = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = "".join(f"{path},,\n" for path in (*modules, *meta, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"{project}-{version}-py3-none-any.whl", "w") as archive:
        for path, content in {**modules, **meta, f"{info}/RECORD": lines.encode()}.items():
            archive.writestr(path, content)
