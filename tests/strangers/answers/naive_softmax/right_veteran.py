# a veteran C++ engineer: asserts first, named locals, explicit dtype at the end
import typing

Real = typing.TypeVar("Real", bound=np.generic)


def naive_softmax(x: np.ndarray) -> np.ndarray:
    assert x.ndim >= 1, "a softmax needs an axis to run along"
    assert x.shape[-1] >= 1, "a row without entries has no softmax"

    # Accumulate in double, as one would with `double acc`; narrow once at the very end.
    numerator = np.exp(x.astype(np.float64))
    denominator = numerator.sum(axis=-1)[..., np.newaxis]
    result = (numerator / denominator).astype(x.dtype)

    assert result.shape == x.shape
    return result
