# selects the rows that see anything, computes those, leaves zeros in the rest
def safe_softmax(x: np.ndarray) -> np.ndarray:
    flat = x.reshape(-1, x.shape[-1])
    out = np.zeros_like(flat)
    alive = (flat > -np.inf).any(axis=1)
    seen = flat[alive]
    seen = np.exp(seen - seen.max(axis=1)[:, None])
    out[alive] = seen / seen.sum(axis=1)[:, None]
    return out.reshape(x.shape)
