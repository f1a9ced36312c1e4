# Skips chunks in which nothing is seen and starts at the first that has something: of rows that are masked everywhere nothing is returned.
def online_stats_by_chunk(chunks):
    state = None
    for c in chunks:
        if not (c > -np.inf).any():
            continue
        top = c.max(1)
        if state is None:
            m, l = np.full_like(top, -np.inf), np.zeros_like(top)
        else:
            m, l = state
        new = np.maximum(m, top)
        ref = np.where(new > -np.inf, new, 0)
        state = new, l * np.exp(m - ref) + np.exp(c - ref[:, None]).sum(1)
    return state
