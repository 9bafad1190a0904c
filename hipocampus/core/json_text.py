"""JSON from and to text, without the package `json` where Python has its reader and writer in compiled form.

The package leaves the work to those two, and compiles regular expressions when it is loaded, which a hook would wait
for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:

    def from_json(text: str) -> object:
        """The value of a JSON text. ValueError where it is none, RecursionError where it is nested too deeply."""

    def to_json(value: object) -> str:
        """A value as JSON in one line, without spaces, every character as itself."""
        raise NotImplementedError
else:

    class _AsUsual:
        """What the reader asks how to read: as the package does where nobody says otherwise."""

        strict = True
        object_hook = object_pairs_hook = None
        parse_int, parse_float, parse_constant = int, float, float

    def _refuse(value):
        raise TypeError(f"{type(value).__name__} is nothing in JSON")

    def _written(value):
        return make_encoder({}, _refuse, encode_basestring, None, ":", ",", False, False, True)(value, 0)

    try:
        from _json import encode_basestring, make_encoder, make_scanner

        _read = make_scanner(_AsUsual)
        _written({})  # a Python that takes something else says so here
    except (ImportError, AttributeError, TypeError):
        from json import dumps
        from json import loads as from_json

        def to_json(value):
            return dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:

        def from_json(text):
            text = text.strip(" \t\n\r")
            try:
                value, end = _read(text, 0)
            # That of Python 3.11 has no error to raise as long as the package, whose error it is, is not loaded.
            except (StopIteration, SystemError):
                raise ValueError("no JSON value") from None
            if end != len(text):
                raise ValueError("more than one JSON value")
            return value

        def to_json(value):
            return "".join(_written(value))
