# Right: French docstring and unicode names, prints, asserts, timing, a plot in try/except and unit tests below the answer
import time
import logging
import unittest

import numpy as np

_ = np.seterr(all="ignore")
logging.basicConfig(level=logging.INFO)
journal = logging.getLogger(__name__)


def naive_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax le long du dernier axe, selon sa définition.

    x : tableau (..., N) en float32, N >= 1.
    Renvoie un tableau neuf, de même forme et de même type.
    """
    # première tentative:
    # y = np.exp(x) / np.exp(x).sum()
    # -> faux : la somme doit être par ligne, pas sur tout le tableau
    éxp = np.exp(x)
    Σ = éxp.sum(axis=-1, keepdims=True)
    return éxp / Σ


essai = np.array([[0.0, 1.0, 2.0], [3.0, 3.0, 3.0]], dtype=np.float32)
print("softmax:", naive_softmax(essai))
assert np.allclose(naive_softmax(essai).sum(-1), 1), "les lignes ne somment pas à un"
début = time.perf_counter()
for _ in range(10):
    naive_softmax(np.zeros((64, 64), np.float32))
journal.info("dix appels : %.2e s", time.perf_counter() - début)

try:
    import matplotlib.pyplot as plt

    plt.plot(naive_softmax(essai)[0])
    plt.title("première ligne")
    plt.show()
except ImportError:
    pass


class TestNaiveSoftmax(unittest.TestCase):
    def test_somme(self):
        self.assertTrue(np.allclose(naive_softmax(essai).sum(-1), 1))

    def test_type(self):
        self.assertEqual(naive_softmax(essai).dtype, np.float32)


if __name__ == "__main__":
    unittest.main(argv=["first-arg-is-ignored"], exit=False)
