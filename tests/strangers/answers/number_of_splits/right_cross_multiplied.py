# Keeps numerator and denominator of the best as whole numbers and compares by cross multiplication.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    used, offered = [], []
    for s in range(1, most + 1):
        used.append(s * programs)
        offered.append((s * programs + slots - 1) // slots * slots)
    top_u, top_o = used[0], offered[0]
    for u, o in zip(used, offered):
        if u * top_o > top_u * o:
            top_u, top_o = u, o
    for s, (u, o) in enumerate(zip(used, offered), start=1):
        if 20 * u * top_o >= 17 * top_u * o:
            return s
    return most
