# Wrong: divides with /, so sums of powers are floats, rounded above 2^53 ("whole numbers, exact below 2^63").


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def linear(n):
        return 8 * width**2 * n + 4 * width * n * (n + 1) / 2

    def square(n):
        return 8 * width**2 * n * (n + 1) / 2 + 4 * width * n * (n + 1) * (n + 2) / 6

    n = prompt + new - 1
    return int(square(n) - square(prompt - 1)), int(linear(n))
