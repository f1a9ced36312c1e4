# style: math helper with closed forms, and an assert that checks it against the sum for small sizes
def _between(a: int, b: int, width: int) -> int:
    """Operations for the tokens at positions a + 1 to b."""
    positions = (b * (b + 1) - a * (a + 1)) // 2
    return 8 * width**2 * (b - a) + 4 * width * positions


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    last = prompt + new - 1  # the last token is never read
    cached = _between(0, last, width)
    # sum over T = prompt .. last of (8 D^2 T + 2 D T (T + 1)), in closed form
    s1 = lambda n: n * (n + 1) // 2  # noqa: E731
    s2 = lambda n: n * (n + 1) * (2 * n + 1) // 6  # noqa: E731
    lengths = s1(last) - s1(prompt - 1)
    squares = s2(last) - s2(prompt - 1)
    again = 8 * width**2 * lengths + 2 * width * (squares + lengths)
    return again, cached
