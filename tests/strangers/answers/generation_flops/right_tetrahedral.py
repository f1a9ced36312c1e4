# Right: whole-number closed forms, triangular and tetrahedral numbers, no loop.
def _triangle(n: int) -> int:
    return n * (n + 1) // 2


def _tetrahedron(n: int) -> int:
    return n * (n + 1) * (n + 2) // 6


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    square, row = 8 * width * width, 4 * width
    last = prompt + new - 1  # the last position that is read
    tokens = _triangle(last) - _triangle(prompt - 1)
    keys = _tetrahedron(last) - _tetrahedron(prompt - 1)
    return square * tokens + row * keys, square * last + row * _triangle(last)
