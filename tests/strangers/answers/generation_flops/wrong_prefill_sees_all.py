# Charges every prompt token of the prefill with all `prompt` keys (no causal mask) in the cached count; wrong for every prompt longer than one token.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def c(t):
        return 8 * width**2 + 4 * t * width

    def read(n):
        return 8 * width**2 * n + 2 * width * n * (n + 1)

    again = sum(read(n) for n in range(prompt, prompt + new))
    prefill = prompt * c(prompt)
    decode = sum(c(t) for t in range(prompt + 1, prompt + new))
    return again, prefill + decode
