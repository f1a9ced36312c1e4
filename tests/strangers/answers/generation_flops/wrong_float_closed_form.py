# A closed form with a float division by 3: rounded above 2^53.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def first(n):
        return 8 * n * width**2 + 2 * n * (n + 1) * width

    return int(sum(first(n) / 1.0 for n in range(prompt, prompt + new))), first(prompt + new - 1)
