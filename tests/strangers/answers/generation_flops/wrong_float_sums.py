# Computes n (n + 1) / 2 with true division and rounds by int() at the end: floats lose the last digits as soon as the counts pass 2^53 (prompt and width in the thousands).
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def full(n):
        return 8.0 * n * width**2 + 4.0 * width * n * (n + 1) / 2

    without_cache = sum(full(prompt + i) for i in range(new))
    return int(without_cache), int(full(prompt + new - 1))
