# A while loop over next(), with one branch for a new maximum and one for a visible score that is none.
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    top, total, one = np.float32(-np.inf), np.float32(0), np.float32(1)
    feed = iter(stream)
    while (value := next(feed, None)) is not None:
        if value > top:
            total = total * np.exp(top - value) + one
            top = value
        elif value > -np.inf:
            total = total + np.exp(value - top)
    return top, total
