# random checks if run alone
import math


def visible_tiles(start, stop, n_q, n_k, tile_n):
    offset = n_k - n_q
    sees = lambda i: min(max(i + 1 + offset, 0), n_k)
    return sees(start) // tile_n, math.ceil(sees(stop - 1) / tile_n)


if __name__ == "__main__":
    assert visible_tiles(4, 8, 12, 12, 4) == (1, 2)
    import random
    for _ in range(100):
        n_q, n_k, t = random.randint(1, 40), random.randint(1, 40), random.randint(1, 9)
        visible_tiles(0, n_q, n_q, n_k, t)
    print("all good")
