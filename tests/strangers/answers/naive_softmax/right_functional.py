# style: functional programmer: composition with reduce, lambdas, partial
from functools import partial, reduce
from typing import Any, Callable

import numpy as np


def compose(*functions: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """compose(f, g)(x) is g(f(x))."""
    return lambda x: reduce(lambda value, function: function(value), functions, x)


total = partial(np.sum, axis=-1, keepdims=True)
normalise = lambda e: np.divide(e, total(e))  # noqa: E731


def naive_softmax(x: np.ndarray) -> np.ndarray:
    """exp, then divide."""
    return compose(np.exp, normalise)(x)


if __name__ == "__main__":
    demo = np.array([1, 2, 3], dtype=np.float32)
    print(naive_softmax(demo), naive_softmax(demo).sum())
