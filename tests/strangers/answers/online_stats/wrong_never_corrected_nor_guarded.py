# Adds up exp(x - m) with the maximum so far and never corrects what was summed before a larger one; a row that begins with -inf ends as NaN besides.
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    biggest = np.float32(-np.inf)
    total = np.float32(0)
    for value in stream:
        biggest = max(biggest, value)
        total += np.exp(value - biggest)
    return biggest, total
