# searchsorted from the right in each row's sums without the slots of probability 0
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    tokens = []
    for share, token, number in zip(p, index, u):
        token, share = token[share > 0], share[share > 0]
        if len(token) == 0:
            tokens.append(-1)
            continue
        j = np.searchsorted(np.cumsum(share), number, side="right")
        tokens.append(int(token[min(j, len(token) - 1)]))
    return np.array(tokens, dtype=np.int64)
