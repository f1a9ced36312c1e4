# exact rational numbers, no floats: 0.85 is 17/20
def number_of_splits(programs: int, slots: int, most: int) -> int:
    """Into how many splits the keys are cut, so that few slots are idle in the last wave.

    programs: one for each sequence and KV head, as many as there are without a split.
    slots: programs that the GPU runs at once. most: the largest number of splits allowed.
    All three are whole numbers from 1 on.
    Returns splits, a whole number (int) from 1 to most: the smallest s whose efficiency is at
    least 0.85 of the best one's, where s * programs of equal length run in waves of slots:

        w(s) = s * programs / slots        efficiency(s) = w(s) / ceil(w(s))

    The rule of the FlashAttention library's num_splits_heuristic, without its shortcuts: 80 %
    of the slots filled by one split, or more programs than slots, are no reason to stop there.
    """
    from fractions import Fraction

    def efficiency(s):
        w = Fraction(s * programs, slots)
        return w / math.ceil(w)

    shares = [efficiency(s) for s in range(1, most + 1)]
    enough = Fraction(17, 20) * max(shares)
    return 1 + [share >= enough for share in shares].index(True)
