# Wrong: takes new passes at the (whole-number) average length, although a pass's cost is quadratic in its length; right for new = 1 and 2 percent off or less in most plots, wrong exactly for new >= 2.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def whole_pass(n):
        return 8 * width**2 * n + 2 * width * n * (n + 1)

    shortest, longest = prompt, prompt + new - 1
    return new * whole_pass((shortest + longest) // 2), whole_pass(longest)
