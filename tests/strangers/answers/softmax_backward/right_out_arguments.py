# row sums by einsum, then a single result that is filled and scaled with out= and in place
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    delta = torch.einsum("rn,rn->r", p, dp)
    ds = torch.empty(p.shape, dtype=p.dtype, device=p.device)
    torch.sub(dp, delta[:, None], out=ds)
    return ds.mul_(p)
