# Closed form from triangular and tetrahedral numbers, whole-number arithmetic throughout.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def tri(n):
        return n * (n + 1) // 2

    def tet(n):
        return n * (n + 1) * (n + 2) // 6

    last = prompt + new - 1

    def row(a, b):
        return 8 * width**2 * a + 4 * width * b

    again = row(tri(last) - tri(prompt - 1), tet(last) - tet(prompt - 1))
    once = row(last, tri(last))
    return again, once
