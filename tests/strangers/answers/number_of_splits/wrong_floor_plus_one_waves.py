# Counts waves as s * programs // slots + 1, one too many whenever the last wave is exactly full, so perfect fits count as bad ones.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    eff = torch.tensor(
        [s * programs / slots / (s * programs // slots + 1) for s in range(1, most + 1)],
        dtype=torch.float64,
    )
    return int((eff >= 0.85 * eff.max()).nonzero()[0]) + 1
