# Right: doctests in the docstring and doctest.testmod under main, nested clamp function
import doctest


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all.

    >>> visible_tiles(0, 4, 8, 8, 4)
    (0, 1)
    >>> visible_tiles(4, 8, 8, 8, 4)
    (1, 2)
    """

    def clamp(x: int) -> int:
        return min(max(x, 0), n_k)

    first_sees = clamp(start + n_k - n_q + 1)
    last_sees = clamp(stop + n_k - n_q)
    return first_sees // tile_n, -(-last_sees // tile_n)


if __name__ == "__main__":
    doctest.testmod(verbose=False)
