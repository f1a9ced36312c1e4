# Right: an inner cost function with sum over ranges in closed form; triangular numbers as a lambda
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    D = width
    tri = lambda n: n * (n + 1) // 2  # noqa: E731

    def read(tokens: int) -> int:
        """All tokens from 1 to `tokens`."""
        return 8 * D * D * tokens + 4 * D * tri(tokens)

    passes = range(prompt, prompt + new)  # tokens that each pass reads, without a cache
    tetra = lambda n: n * (n + 1) * (n + 2) // 6  # sum of tri(1..n)  # noqa: E731
    total_tokens = sum((passes[0], passes[-1])) * len(passes) // 2
    without = 8 * D * D * total_tokens + 4 * D * (tetra(passes[-1]) - tetra(passes[0] - 1))
    return without, read(passes[-1])
