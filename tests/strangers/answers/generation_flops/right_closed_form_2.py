# Style: sums of powers, whole numbers, no loop.


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def one_pass(n: int) -> int:
        """c(1) + ... + c(n)."""
        return 8 * width**2 * n + 2 * width * n * (n + 1)

    def passes_up_to(n: int) -> int:
        """one_pass(1) + ... + one_pass(n)."""
        return 4 * width**2 * n * (n + 1) + 2 * width * (n * (n + 1) * (n + 2) // 3)

    last = prompt + new - 1  # the last token is never read
    return passes_up_to(last) - passes_up_to(prompt - 1), one_pass(last)
