"""Where installed packages lie whose weights are read, without anything of them being imported."""

from __future__ import annotations

import os
import sys


def folder_of(package: str, version: str, file: str) -> str:
    """The directory of an installed package that has this file, empty where there is none of this version."""
    for place in _places():
        folder = os.path.join(place, package)
        if os.path.isdir(f"{folder}-{version}.dist-info") and os.path.isfile(os.path.join(folder, file)):
            return folder
    return ""


def unknown_version(package: str, version: str) -> str:
    """The version of an installed package where it is not this one, else empty."""
    for place in _places():
        try:
            names = os.listdir(place)
        except OSError:
            continue
        found = {name[len(package) + 1 : -len(_NOTED)] for name in names if _is_of(package, name)}
        if found:
            return "" if version in found else min(found)
    return ""


def _places() -> list[str]:
    """Where packages are looked for: an import passes over what is no text, and no project's own directory counts."""
    return [place for place in sys.path if isinstance(place, str) and os.path.isabs(place)]


_NOTED = ".dist-info"


def _is_of(package: str, name: str) -> bool:
    return name.startswith(f"{package}-") and name.endswith(_NOTED)
