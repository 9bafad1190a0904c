"""What rules are written with, beside expressions: modules that are imported at their first use, and sets of words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:

    def Later(name: str) -> object:  # noqa: N802
        """The module of this package with that name."""
        raise NotImplementedError
else:

    class Later:
        """Stands for a module of this package that few texts need; the first use of it imports it."""

        def __init__(self, name):
            self._name = name

        def __getattr__(self, name):
            value = getattr(__import__(f"hipocampus.redaction.{self._name}", fromlist=[name]), name)
            setattr(self, name, value)
            return value


def digits_in(value: str) -> int:
    """How many digits the value has."""
    encoded = value.encode(errors="replace")
    return len(encoded) - len(encoded.translate(None, b"0123456789"))


def vocabulary(*lines: str) -> frozenset[str]:
    """The words of the lines."""
    return frozenset(" ".join(lines).split())
