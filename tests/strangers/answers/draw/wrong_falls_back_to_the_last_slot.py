# where rounding leaves no slot, the last one is taken though its probability is 0
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    slot = np.minimum((np.cumsum(p, 1) <= u[:, None]).sum(1), p.shape[1] - 1)
    token = index[np.arange(len(p)), slot]
    return np.where(p.sum(1) > 0, token, -1)
