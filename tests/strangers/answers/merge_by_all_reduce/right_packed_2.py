# one packed buffer with named views into it
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    top = torch.empty(L.shape, dtype=L.dtype, device=L.device).copy_(L)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    anchor = top.masked_fill(top.isneginf(), 0.0)

    packed = o.new_empty(*L.shape, o.shape[-1] + 1)
    numerator, denominator = packed[..., :-1], packed[..., -1]
    denominator.copy_(torch.exp(L - anchor))
    torch.mul(o, denominator.unsqueeze(-1), out=numerator)
    dist.all_reduce(packed, op=dist.ReduceOp.SUM)

    merged_L = anchor + denominator.log()
    merged_o = numerator / denominator.masked_fill(denominator == 0, 1.0).unsqueeze(-1)
    return merged_o, merged_L
