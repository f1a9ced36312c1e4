# With a cache the scores of later tokens are counted with the prompt alone.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def first(n):
        return 8 * n * width**2 + 2 * n * (n + 1) * width

    return sum(first(n) for n in range(prompt, prompt + new)), first(prompt) + sum(8 * width**2 + 4 * prompt * width for _ in range(new - 1))
