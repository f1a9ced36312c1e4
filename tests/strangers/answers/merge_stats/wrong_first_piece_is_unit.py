# Adds the second sum in units of the first piece and converts afterwards, l = (l1 + l2 e^(m2-m1)) e^(m1-m): if m2 exceeds m1 by more than 88 it is inf times 0.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    both = (l1 + l2 * np.exp(m2 - m1)) * np.exp(m1 - m)
    l = np.where(l1 == 0, l2, np.where(l2 == 0, l1, both))
    return m, l[()]
