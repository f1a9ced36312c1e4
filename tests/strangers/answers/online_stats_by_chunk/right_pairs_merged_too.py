# Right: every chunk becomes a pair of its own, the pair is merged into the state at once, with guarded factors.
def online_stats_by_chunk(chunks):
    def pair(X):
        top = np.max(X, axis=1)
        base = np.where(np.isneginf(top), X.dtype.type(0), top)
        return top, np.einsum("rc->r", np.exp(X - base[:, np.newaxis]))

    def weight(a, b):
        out = np.zeros_like(a)
        np.subtract(a, b, out=out, where=a > -np.inf)
        np.exp(out, out=out, where=a > -np.inf)
        return out

    state = None
    for X in chunks:
        here = pair(X)
        if state is None:
            state = here
            continue
        top = np.maximum(state[0], here[0])
        state = top, state[1] * weight(state[0], top) + here[1] * weight(here[0], top)
    return state
