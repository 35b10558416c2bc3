"""A cache of what was computed from facts, for the next question about the same facts."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

__all__ = ["Kept", "trim"]

R = TypeVar("R")
# A belief over a thousand observations takes 8 MB. The latest answer is kept, however large.
_MOST_BYTES = 64 * 2**20
_MOST = 16
_PLAIN = frozenset({float, int, str, bool, type(None)})
_SEVERAL = (tuple, list)
_SCALAR = 8


class Kept:
    """The last few answers, by what they were computed from.

    Only functions of their key are kept, so that an answer is the same, bit for bit, whether it was
    kept or not. What is kept stays in its process: a copy sent elsewhere is empty.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, compute: Callable[[], R]) -> R:
        """The answer kept under this key, else that of `compute`."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                found: R = self._answers[key][0]
                return found
        # Not under the lock: an answer may need another one, or take seconds.
        made = compute()
        with self._lock:
            self._answers[key] = made, _bytes(made)
            while len(self._answers) > 1 and (len(self._answers) > _MOST or self._too_large()):
                self._answers.popitem(last=False)
        return made

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def nbytes(self) -> int:
        with self._lock:
            return sum(size for _, size in self._answers.values())

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()

    def __reduce__(self) -> tuple[type["Kept"], tuple[()]]:
        return Kept, ()

    def _too_large(self) -> bool:
        return sum(size for _, size in self._answers.values()) > _MOST_BYTES


def trim(oldest_first: Iterable[Kept], most: int) -> None:
    """Empty the oldest until all together hold at most `most` bytes; the last one is left alone."""
    every = list(oldest_first)
    held = sum(kept.nbytes for kept in every)
    for kept in every[:-1]:
        if held <= most:
            return
        held -= kept.nbytes
        kept.clear()


def _bytes(thing: Any) -> int:
    """The memory of the arrays in an answer."""
    held, left = 0, [thing]
    while left:
        each = left.pop()
        kind = type(each)
        if kind in _PLAIN:
            continue
        if isinstance(each, _SEVERAL):
            left.extend(each)
        elif kind is dict:
            left.extend(each.values())
        elif "__dataclass_fields__" in kind.__dict__:
            left.extend(_fields(each))
        else:
            # An array of JAX takes longer to say how large it is than that it has no dimensions.
            whole = getattr(each, "shape", None) != ()
            held += int(getattr(each, "nbytes", 0)) if whole else _SCALAR
    return held


def _fields(thing: Any) -> Iterable[Any]:
    """The values of a dataclass: from its own dict where it has one, since a module takes twenty
    times as long to give a field by name."""
    try:
        own: dict[str, Any] = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return [getattr(thing, name) for name in thing.__dataclass_fields__]
    return own.values()
