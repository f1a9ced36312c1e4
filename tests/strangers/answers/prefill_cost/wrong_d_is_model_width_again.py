# Takes d for the width of the whole model and splits it among the heads (nanoGPT's C // n_head): right for one head, a factor of heads too small otherwise.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    head_dim = d // heads
    qk = 2 * n * n * head_dim
    pv = 2 * n * n * head_dim
    qkvo = 4 * n * head_dim
    return batch * heads * (qk + pv), batch * heads * qkvo * itemsize
