# Tries 128 numbers of splits at the most, as the library's caller allows: a larger `most` is not reached.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    best, rates = 0.0, []
    for s in range(1, min(most, 128) + 1):
        waves = s * programs / slots
        rates.append(waves / math.ceil(waves))
        best = max(best, rates[-1])
    for s, rate in enumerate(rates, start=1):
        if rate >= 0.85 * best:
            return s
    return 1
