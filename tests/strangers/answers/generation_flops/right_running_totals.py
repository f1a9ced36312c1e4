# Walks over the positions once with two running totals, plain Python integers.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    so_far = 0  # a pass over all positions up to t
    again = 0
    for t in range(1, prompt + new):
        so_far += 8 * width**2 + 4 * t * width
        if t >= prompt:
            again += so_far
    return again, so_far
