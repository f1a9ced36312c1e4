"""How often an answer calls the functions and makes the objects that its exercise asks for, counted where they are.

The class Memory is main memory: how many numbers its methods `load` and `store` move counts, whatever the object says
of itself, which rows are loaded at once, and whether the arguments are read past them.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from numbers import Real
from types import CodeType, FunctionType, TracebackType
from typing import Any

import numpy as np

from ..arrays import is_float, returned

MAIN_MEMORY = "Memory"
BY_NUMBERS = ", counted in numbers"  # after the name of a function: whether it had work to do (see `_numbers`)
GIVEN = ", counted in what it is given"  # after the name of a function: the numbers of all its arguments together
BEFORE = ", numbers before one call of "  # between the names of two functions: the most that the first is given
TOOK = " of the numbers"  # after the name of a function: which numbers it was given
MADE = " made the numbers"  # the same of those that it returned
ALONE = " of other "  # after the name of a method that stores, and before the name of one of the arrays that it gets
ONE_CALL = ", call "  # after the name of a function, and before the number of one of its calls
STORING = ("KVCache.append",)  # methods that return nothing: what they are given is what others read
READER = "ToyModel.step"  # a model's method, of which the tokens count that it reads
MOST_TOLD = 8000  # numbers in `numbers`
Array = tuple[int, int, int]  # an array among the arguments of a call: its place, its digest and its size
Given = dict[str, list[list[Array]]]  # what each function was given, a list for each call
_in_place: list[Any] = []  # the spies that count now
ONCE_MORE = " once more, as its load "  # after the name of what is loaded, and before the load's number
ROWS = f"{MAIN_MEMORY}.load of rows "  # 0 to 7, at once


class Spies:
    """Context in which the named functions and classes, as `function` sees them, count their calls in `called`; so does
    a method, which is named with its class, as in Answers.grow. numbers: those that a function was given, or has made.

    What an answer keeps of an earlier call, as a method of an object, counts in the spies that are in place by then.
    numeric: the functions that returned floating-point numbers, or stored them, and what was loaded from main memory
    (see `_loaded`); `altered` is one of them whose numbers come out otherwise. given: what each function was given, a
    list for each call, if it `looks` at that, which takes long. read: how many tokens each call of the READER, if it is
    among the names, read in each `operation`, of which the first makes the object, if there is one. memory: the code of
    main memory's methods, if it is among the names.
    """

    def __init__(self, function: Any, names: Sequence[str], altered: str = "", looks: bool = False):
        self.called: Counter[str] = Counter()
        self.numbers: defaultdict[str, set[float]] = defaultdict(set)
        self.numeric: set[str] = set()
        self.given: Given = {}
        self.read: list[list[int]] = []
        self._tokens: list[int] = []  # that each call has read
        self._waiting: Counter[str] = Counter()  # numbers since the last call of the function that they wait for
        self.altered, self._looks = altered, looks
        self._tiles: set[tuple[Any, ...]] = set()  # of main memory that have been loaded
        self._loads: Counter[str] = Counter()  # of each tensor there
        self._again: dict[str, list[str]] = {}
        self.alone: set[str] = set()  # the arrays that methods have stored, by names as `altered` may have
        self.memory: set[CodeType] = set()
        self.held: set[int] = set()  # the memory of the tensors in main memory, from the first of them that is moved on
        self._undo: list[Callable[[], None]] = []
        self._names, self._globals = names, _globals_of(function)
        self._pairs = [(name, *name.split(BEFORE)) for name in names if BEFORE in name]

    def __enter__(self) -> Spies:
        _in_place.append(self)
        for name in self._names:
            owner, _, method = name.partition(".")
            target = self._globals.get(owner)
            if method and isinstance(target, type):
                if callable(original := getattr(target, method, None)):
                    self._replace(target, method, self._counting(name, original))
            elif isinstance(target, type):
                init = getattr(target, "__init__")  # noqa: B009 -- which may be inherited
                self._replace(target, "__init__", self._counting(name, init))
                if name == MAIN_MEMORY and hasattr(target, "load") and hasattr(target, "store"):
                    methods = target.load, target.store
                    self.memory |= {method.__code__ for method in methods if isinstance(method, FunctionType)}
                    self._replace(target, "load", self._moving(f"{name}.load", target.load, ""))
                    self._replace(target, "store", self._moving(f"{name}.store", target.store, "tile"))
            elif callable(target):
                self._globals[name] = self._counting(name, target)
                self._undo.append(functools.partial(self._globals.__setitem__, name, target))
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        for undo in reversed(self._undo):
            undo()
        _in_place.remove(self)

    @contextlib.contextmanager
    def operation(self) -> Iterator[None]:
        """Within this context an object is made, or does one thing, or the function does all that it does."""
        before = len(self._tokens)
        try:
            yield
        finally:
            self.read.append(self._tokens[before:])

    def _now(self) -> Spies:
        """Those that are in place: an answer may have kept one of these, which are there no more."""
        return _in_place[-1] if _in_place else self

    def _replace(self, owner: type, name: str, spy: Any) -> None:
        own = vars(owner).get(name)
        setattr(owner, name, spy)
        self._undo.append(lambda: setattr(owner, name, own) if own else delattr(owner, name))

    def _counting(self, name: str, original: Any) -> Any:
        @functools.wraps(original)
        def counting(*args: Any, **kwargs: Any) -> Any:
            given = [*args, *kwargs.values()]
            if any(0 in _shape_of(value) for value in given):
                return original(*args, **kwargs)  # which has nothing to do
            spies = self._now()
            spies.called[name] += 1
            if spies._looks:
                spies.given.setdefault(name, []).append(_digests(given))
            is_altered = spies.altered in (name, one_of(name, spies.called[name]))
            if is_altered and name in STORING:
                args, kwargs = _altered(args), _altered(kwargs)
            elif name in STORING:
                args, kwargs = spies._stored(name, inspect.signature(original).bind(*args, **kwargs))
            result = original(*args, **kwargs)
            if name == READER:
                tokens = inspect.signature(original).bind(*args, **kwargs).arguments["tokens"]
                spies._tokens.append(sum(map(len, tokens)))
            if name + BY_NUMBERS in spies._names:
                spies.called[name + BY_NUMBERS] += _numbers(given if result is None else result)
            if name + GIVEN in spies._names:
                spies.called[name + GIVEN] += sum(map(_numbers, given))
            spies._note_order(name, given)
            if _is_numeric(given if name in STORING else result):
                spies.numeric.add(name)
            if name + TOOK in spies._names:
                spies._note_numbers(name + MADE, returned(result), but=spies._note_numbers(name + TOOK, given))
            return _altered(result, -1 if name == READER else 0.5) if is_altered else result

        return counting

    def _stored(self, name: str, given: inspect.BoundArguments) -> tuple[Any, Any]:
        """What a method stores, one of its arrays altered if that is what is asked for."""
        arrays = {f"{name}{ALONE}{key}": key for key, value in given.arguments.items() if _is_numeric(value)}
        self.alone |= arrays.keys() if len(arrays) > 1 else set()
        if key := arrays.get(self.altered):
            given.arguments[key] = _altered(given.arguments[key])
        return given.args, given.kwargs

    def _note_order(self, name: str, given: list[Any]) -> None:
        """Take down how many numbers wait for the call of another function, or that they wait no more."""
        for pair, first, second in self._pairs:
            if name == first:
                self._waiting[pair] += _numbers(given)
                self.called[pair] = max(self.called[pair], self._waiting[pair])
            elif name == second:
                self._waiting[pair] = 0

    def _note_numbers(self, what: str, values: list[Any], but: Set[float] = frozenset()) -> set[float]:
        """Take down which numbers a function is given, or returns, but for some, and return them: the floating-point
        ones of arrays in float32, as many as can be told, and those that stand alone.
        """
        found, known = set[float](), sum(map(len, self.numbers.values()))
        for value in values:
            array = _array_of(value)
            if isinstance(value, Real):
                found.add(float(value))
            elif array is not None and is_float(array.dtype) and known + array.size <= MOST_TOLD:
                found.update(array.astype(np.float32, copy=False).ravel().tolist())
        self.numbers[what] |= found - but
        return found

    def _moving(self, name: str, original: Any, argument: str) -> Any:
        """argument: the one that is moved; "" if it is what the method returns."""
        from ..tensors.main_memory import look_into, memory_in  # here, since torch is there where main memory is
        from ..tensors.unseen import unseen

        names = list(inspect.signature(original).parameters)  # once: a call moves no more than a tile

        @functools.wraps(original)
        def moving(*args: Any, **kwargs: Any) -> Any:
            spies = self._now()
            look_into(args[0] if args else None, MAIN_MEMORY)
            with unseen():
                spies.held |= memory_in(args[0])
            result = original(*args, **kwargs)
            given = dict(zip(names, args)) | kwargs
            moved = given.get(argument, result)
            spies.called[name] += math.prod(_shape_of(moved) or (0,))
            if argument:
                return result
            where = [given[name] for name in names[1:] if name in given]
            if len(where) == 3 and (shape := _shape_of(result)):
                start = where[1]
                if type(start) is not int:  # None, or a tensor's number
                    with unseen():
                        start = operator.index(start or 0)
                spies.called[f"{ROWS}{start} to {start + shape[0] - 1}"] += 1
            return spies._loaded(result, where)

        return moving

    def _loaded(self, tile: Any, where: list[Any]) -> Any:
        """A tile from main memory, altered if that is what is asked for: all tiles of one tensor, or that of one load.
        A tile that is loaded again without need leaves the result as it is where only that is altered. where: the
        tensor's name, and the rows.
        """
        name = f"{MAIN_MEMORY}.load of {where[0]}"
        self._loads[name] += 1
        one = f"{name}{ONCE_MORE}{self._loads[name]},"
        if _is_numeric(tile):
            self.numeric.add(name)
            if (place := tuple(map(str, where))) in self._tiles:
                self._again.setdefault(name, []).append(one)
            self._tiles.add(place)
        return _altered(tile) if self.altered in (name, one) else tile

    @property
    def loaded_again(self) -> list[list[str]]:
        """For each tensor in main memory the names of the loads of tiles that had been loaded before."""
        return list(self._again.values())


def one_of(name: str, number: int) -> str:
    """The name of one call of a function."""
    return f"{name}{ONE_CALL}{number},"


def _shape_of(value: Any) -> tuple[int, ...]:
    """That of an array or a tensor, whatever its class has been made to say; () of anything else."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        return tuple(torch._C.TensorBase.size(value))
    return np.ndarray.shape.__get__(value) if isinstance(value, np.ndarray) else ()


def _globals_of(function: Any) -> dict[str, Any]:
    """The names among which a function, or the methods of a class, look for others; none if it has no code."""
    kinds = function.__mro__ if isinstance(function, type) else ()
    methods = [method for kind in kinds for method in vars(kind).values()] if kinds else [function]
    inner = (inspect.unwrap(method) for method in methods if callable(method))  # of a decorator's
    return next((method.__globals__ for method in inner if isinstance(method, FunctionType)), {})


def _digests(given: list[Any]) -> list[Array]:
    """Of each array of floating-point numbers its place among the arguments, its digest, and how many they are."""
    arrays = ((place, _array_of(value)) for place, value in enumerate(given))
    return [(place, hash(x.tobytes()), x.size) for place, x in arrays if x is not None and is_float(x.dtype) and x.size]


def _array_of(value: Any) -> np.ndarray | None:
    """That which a plain tensor or array holds, None of anything else, of which nothing may run out of sight."""
    torch = sys.modules.get("torch")
    if torch and type(value) is torch.Tensor:
        from ..tensors import read
        from ..tensors.unseen import unseen

        with unseen():
            return read.array_of(value)
    return value if type(value) is np.ndarray else None


def _numbers(value: Any) -> int:
    """How many numbers a result has, of several the first; of what returns nothing, its first array."""
    values = value if isinstance(value, (tuple, list)) else [value]
    return next((math.prod(array.shape) for array in values if hasattr(array, "shape")), 1)


def _is_numeric(result: Any) -> bool:
    """Whether there are floating-point numbers in a result."""
    if issubclass(type(result), (tuple, list)):
        return any(map(_is_numeric, returned(result)))
    if type(result) is np.ndarray:  # whose dtype takes long to say
        return is_float(result.dtype)
    return "float" in str(getattr(result, "dtype", type(result).__name__))


def _altered(result: Any, factor: float = 0.5) -> Any:
    """Other floating-point numbers in place of those in a result; with a factor below 0 the largest is another one."""
    kind = type(result)
    if issubclass(kind, dict):
        return {name: _altered(item, factor) for name, item in result.items()}
    if issubclass(kind, (tuple, list)):
        items = [_altered(item, factor) for item in returned(result)]
        if issubclass(kind, list):
            return items
        of_torch = kind.__module__ == "torch.return_types"
        return kind(items) if of_torch else tuple.__new__(kind, items)  # a named tuple keeps its names
    return factor * result + 1 if _is_numeric(result) else result
