"""Frozen, slotted records without the import cost of ``dataclasses``.

``import dataclasses`` pulls in ``inspect`` and costs about as much as the whole interpreter start, and every prompt of
a user pays for it. Modules that a hook imports use ``record``; everything else uses ``dataclasses.dataclass``. Type
checkers see a frozen dataclass (PEP 681).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_options):
        return lambda decorator: decorator


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Turn annotated attributes into constructor arguments of an immutable class with value equality.

    The class is made anew, so its methods cannot use ``super()``, and it has no base but ``object``.
    """
    names = tuple(cls.__annotations__)
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    body = {key: value for key, value in cls.__dict__.items() if key not in names}
    for generated in ("__dict__", "__weakref__"):
        body.pop(generated, None)
    tails: dict[int, tuple[Any, ...]] = {
        len(names): ()
    }  # the values that the last names take when so many are given by place
    for count in range(len(names) - 1, -1, -1):
        if names[count] not in defaults:
            break
        tails[count] = (defaults[names[count]], *tails[count + 1])
    body.update(__slots__=names, __match_args__=names, _defaults=defaults, _tails=tails)
    body.update(__init__=_init, __setattr__=_refuse, __delattr__=_refuse)
    body.update(__eq__=_equal, __hash__=_hash, __repr__=_repr)
    made: Any = type(cls.__name__, cls.__bases__, body)
    made._setters = tuple(made.__dict__[name].__set__ for name in names)
    return made  # type: ignore[no-any-return]


def _init(self: Any, *values: Any, **named: Any) -> None:
    tail = None if named else self._tails.get(len(values))
    if tail is None:
        values = _in_order(type(self), values, named)
    elif tail:
        values += tail
    for setter, value in zip(self._setters, values):  # noqa: B905 - of the same length
        setter(self, value)


def _in_order(cls: Any, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """One value for each name, or the error that says which is missing, surplus, repeated or unknown."""
    names = cls.__slots__
    if not values and len(named) == len(names) and all(map(named.__contains__, names)):
        return tuple(map(named.__getitem__, names))
    if len(values) > len(names):
        raise TypeError(f"{cls.__name__} takes {len(names)} values, got {len(values)}")
    given = dict(zip(names, values, strict=False))
    for name in named:
        if name not in names or name in given:
            raise TypeError(f"{cls.__name__}: unexpected or repeated argument {name!r}")
    merged = {**cls._defaults, **given, **named}
    for name in names:
        if name not in merged:
            raise TypeError(f"{cls.__name__}: argument {name!r} is missing")
    return tuple(map(merged.__getitem__, names))


def _refuse(self: Any, name: str, *_value: Any) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot change")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__slots__)


def _equal(self: Any, other: object) -> bool:
    return type(other) is type(self) and _values(other) == _values(self)


def _hash(self: Any) -> int:
    return hash((type(self), _values(self)))


def _repr(self: Any) -> str:
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({inside})"
