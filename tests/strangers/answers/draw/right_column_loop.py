# a loop over slots, vectorised over rows, that remembers the last slot with p > 0
def draw(p, index, u):
    rows, k = p.shape
    token = np.full(rows, -1, dtype=np.int64)
    open_rows = np.ones(rows, dtype=bool)
    running = np.zeros(rows, dtype=np.float64)
    for slot in range(k):
        share = p[:, slot]
        running += share
        token = np.where(open_rows & (share > 0), index[:, slot], token)
        open_rows &= ~(running > u)
    return token
