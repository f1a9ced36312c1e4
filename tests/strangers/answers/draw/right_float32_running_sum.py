# plain loops with a running sum in float32, the last slot with a share remembered
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    out = np.full(len(p), -1, dtype=np.int64)
    for i in range(len(p)):
        total = np.float32(0)
        for share, token in zip(p[i], index[i]):
            if share > 0:
                out[i] = token
            total = np.float32(total + share)
            if total > u[i]:
                break
    return out
