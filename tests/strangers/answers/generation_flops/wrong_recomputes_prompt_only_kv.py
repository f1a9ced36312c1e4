# Thinks that without a cache the old tokens cost only their keys and values (4 D^2 each) and the newest one the rest; shows whenever new > 1 or prompt > 1.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    c = lambda t: 8 * width**2 + 4 * t * width
    cached = sum(map(c, range(1, prompt + new)))
    naive = sum(map(c, range(1, prompt + 1)))
    for n in range(prompt + 1, prompt + new):
        naive += (n - 1) * 4 * width**2 + c(n)
    return naive, cached
