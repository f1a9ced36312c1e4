# Right: closed integer sums (triangular and tetrahedral numbers), no loop at all, so exact for any size.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def triangle(x):  # 1 + 2 + ... + x
        return x * (x + 1) // 2

    def pyramid(x):  # 1*2 + 2*3 + ... + x(x + 1)
        return x * (x + 1) * (x + 2) // 3

    final = prompt + new - 1  # the sequence of the last pass; its answer is printed only
    before = prompt - 1
    rows_read = triangle(final) - triangle(before)
    pairs_twice = pyramid(final) - pyramid(before)
    again = 8 * width * width * rows_read + 2 * width * pairs_twice
    once = 8 * width * width * final + 4 * width * triangle(final)
    return again, once
