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
    body.update(__slots__=names, __match_args__=names, _defaults=defaults)
    body.update(__init__=_init, __setattr__=_refuse, __delattr__=_refuse)
    body.update(__eq__=_equal, __hash__=_hash, __repr__=_repr)
    made: type[T] = type(cls.__name__, cls.__bases__, body)
    return made


def _init(self: Any, *values: Any, **named: Any) -> None:
    names = self.__slots__
    if len(values) > len(names):
        raise TypeError(f"{type(self).__name__} takes {len(names)} values, got {len(values)}")
    given = dict(zip(names, values, strict=False))
    for name in named:
        if name not in names or name in given:
            raise TypeError(f"{type(self).__name__}: unexpected or repeated argument {name!r}")
    merged = {**self._defaults, **given, **named}
    for name in names:
        if name not in merged:
            raise TypeError(f"{type(self).__name__}: argument {name!r} is missing")
        object.__setattr__(self, name, merged[name])


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
