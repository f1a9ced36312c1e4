# Wrong: sums of positions go through a float division, which is exact below 2^53 only.
# Breaks: "Returns two whole numbers of operations, exact below 2^63".
def generation_flops(prompt, new, width):
    def tokens(n):  # positions 1 to n
        return 8 * n * width**2 + 4 * width * (n * (n + 1) / 2)

    without = sum(tokens(prompt + i) for i in range(new))
    return int(without), int(tokens(prompt + new - 1))
