# checked against scipy if run alone
import numpy as np


def naive_softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


if __name__ == "__main__":
    from scipy.special import softmax
    x = np.random.randn(3, 4)
    print(np.abs(softmax(x, axis=-1) - naive_softmax(x)).max())
