# Drops every term more than 12 below the running maximum as negligible, and forgets the old sum when the maximum jumps by 12: thousands of such terms are not negligible together (20000 scores at 13 below one peak add 0.045).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = np.float32(-np.inf)
    l = np.float32(0)
    for x in stream:
        if x == -np.inf or m - x > 12:
            continue
        if x - m > 12:
            m, l = x, np.float32(1)
        elif x > m:
            l = l * np.exp(m - x) + np.float32(1)
            m = x
        else:
            l += np.exp(x - m)
    return m, l
