# sorts each row by probability first: another slot for the same u
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    order = np.argsort(-p, axis=1, kind="stable")
    q, tokens = np.take_along_axis(p, order, 1), np.take_along_axis(index, order, 1)
    slot = (np.cumsum(q, 1) <= u[:, None]).sum(1)
    slot = np.minimum(slot, np.maximum((q > 0).sum(1) - 1, 0))
    return np.where((p > 0).any(1), tokens[np.arange(len(p)), slot], -1)
