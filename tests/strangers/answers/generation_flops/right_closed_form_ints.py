# Closed sums in whole numbers: one pass over m tokens, and the sum of these over all passes by the tetrahedral formula.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    D = width
    last = prompt + new - 1  # tokens that are ever read

    def tri(m):
        return m * (m + 1) // 2

    def tetra(m):  # tri(1) + ... + tri(m)
        return m * (m + 1) * (m + 2) // 6

    once = 8 * D * D * last + 4 * D * tri(last)
    again = 8 * D * D * (tri(last) - tri(prompt - 1)) + 4 * D * (tetra(last) - tetra(prompt - 1))
    return again, once
