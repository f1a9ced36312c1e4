# takes the exponential in place and so destroys the caller's scores; the returned values are right
def naive_softmax(x: np.ndarray) -> np.ndarray:
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x
