# Evaluates the closed form in int64 tensors and divides by 3 last, so the intermediate wraps where the result lies between about 2^63/3 and 2^63 (e.g. prompt 300000, 300000 new, width 12288).
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    p, n, D = (torch.tensor(x, dtype=torch.int64) for x in (prompt, new, width))
    b = p + n - 1
    linear = 4 * D * D * (b * (b + 1) - (p - 1) * p)
    square = 2 * D * (b * (b + 1) * (b + 2) - (p - 1) * p * (p + 1)) // 3
    cached = 8 * D * D * b + 2 * D * b * (b + 1)
    return int(linear + square), int(cached)
