# Ports the update of ring-flash-attention (out -= sigmoid(..) (out - block_out), lse -= logsigmoid(..)), which gives L = NaN when the first block has no keys (that code starts from its first block), and NaN throughout for two empty ones.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    F = torch.nn.functional
    block_lse, lse = L2.unsqueeze(-1), L1.unsqueeze(-1)
    out = o1 - F.sigmoid(block_lse - lse) * (o1 - o2)
    lse = lse - F.logsigmoid(lse - block_lse)
    return out, lse.squeeze(-1)
