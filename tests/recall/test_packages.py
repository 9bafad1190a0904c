"""A package counts in the version that is known, and with the file that is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.recall import encoder, index_vectors
from hipocampus.recall.packages import folder_of, unknown_version
from hipocampus.store.requirements import EXTRAS


@pytest.mark.parametrize(
    ("version", "file", "found"), [("1.2", "a.bin", True), ("1.3", "a.bin", False), ("1.2", "b.bin", False)]
)
def test_only_the_version_that_is_known_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, file: str, found: bool
) -> None:
    """Weights of another version may mean something else."""
    (tmp_path / "weights-1.2.dist-info").mkdir()
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "a.bin").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    for path in (["", ".", None, 7], ["", str(tmp_path / "elsewhere")]):
        monkeypatch.setattr("sys.path", path)
        assert folder_of("weights", version, file) == ""
    monkeypatch.setattr("sys.path", [None, str(tmp_path / "elsewhere"), str(tmp_path)])
    assert folder_of("weights", version, file) == (str(tmp_path / "weights") if found else "")


@pytest.mark.parametrize(
    ("installed", "found"),
    [((), ""), (("1.2",), ""), (("1.3",), "1.3"), (("1.2", "1.3"), ""), (("more-1.3",), "")],
)
def test_another_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], found: str
) -> None:
    """Where the one that is known is not there; a package whose name begins alike is another package."""
    for version in installed:
        name = f"weights_{version}" if version.startswith("more") else f"weights-{version}"
        (tmp_path / f"{name}.dist-info").mkdir()
    monkeypatch.setattr("sys.path", ["", None, str(tmp_path / "elsewhere"), str(tmp_path)])
    assert unknown_version("weights", "1.2") == found


@pytest.mark.parametrize(
    ("extra", "package", "version"),
    [
        ("vector", index_vectors.PACKAGE, index_vectors.VERSION),
        ("neural", encoder.PACKAGE, encoder.VERSION),
    ],
)
def test_an_extra_brings_the_version_that_is_known(extra: str, package: str, version: str) -> None:
    """Another one would be passed over."""
    assert f"{package}=={version}" in EXTRAS[extra]
