# Right: closed formulas with sums of squares in exact integers, an inner pass function
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    """What one attention layer computes while a model generates, without a cache and with one."""
    P, N, D = prompt, new, width

    def T(n: int) -> int:
        "1 + 2 + ... + n"
        return n * (n + 1) // 2

    def Q(n: int) -> int:
        "T(1) + ... + T(n)"
        return n * (n + 1) * (n + 2) // 6

    last = P + N - 1
    projections = 8 * D**2
    without = projections * (T(last) - T(P - 1)) + 4 * D * (Q(last) - Q(P - 1))
    return without, projections * last + 4 * D * T(last)


for p, n in [(1, 1), (3, 2)]:
    slow = sum(8 * 4 + 4 * t * 2 for s in range(p, p + n) for t in range(1, s + 1))
    assert generation_flops(p, n, 2)[0] == slow, (p, n)
