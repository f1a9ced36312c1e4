# Two branches with Python floats (double precision inside), masked elements skipped, rounded to float32 on return.
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    from math import exp, inf

    best, total = -inf, 0.0
    for element in map(float, stream):
        if element == -inf:
            continue
        if element > best:
            total = total * exp(best - element) + 1.0
            best = element
        else:
            total += exp(element - best)
    return np.float32(best), np.float32(total)
