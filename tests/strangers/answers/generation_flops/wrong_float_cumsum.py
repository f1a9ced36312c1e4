# Wrong: counts in float64 with cumulative sums and converts at the end, so counts beyond 2^53 are rounded (e.g. prompt 100000, new 50000, width 4097); small ones are exact.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    total = prompt + new - 1
    t = torch.arange(1, total + 1, dtype=torch.float64)
    cost = 8 * width**2 + 4 * t * width
    up_to = torch.cumsum(cost, dim=0)
    without = up_to[prompt - 1 :].sum()
    return int(without), int(up_to[-1])
