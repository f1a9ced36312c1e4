# the first slot whose sum is at least u: u = 0 falls on a slot of probability 0
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    reached = np.cumsum(p, 1) >= u[:, None]
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], 1)
    slot = np.where(reached.any(1), reached.argmax(1), last)
    return np.where((p > 0).any(1), index[np.arange(len(p)), slot], -1)
