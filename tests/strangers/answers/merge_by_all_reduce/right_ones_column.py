# the denominators are the numerators of a column of ones; a shift of 0 where nobody has a key
def merge_by_all_reduce(o, L):
    top = torch.empty(L.shape, dtype=L.dtype, device=L.device)
    top.copy_(L)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    shift = torch.nan_to_num(top, neginf=0.0)
    buffer = torch.ones(*o.shape[:2], o.shape[2] + 1, dtype=o.dtype, device=o.device)
    buffer[..., :-1].copy_(o)
    buffer.mul_((L - shift).exp().unsqueeze(-1))
    dist.all_reduce(buffer)
    total = buffer[..., -1]
    anyone = total > 0
    result = buffer[..., :-1] / total.where(anyone, torch.ones_like(total)).unsqueeze(-1)
    return result, top + total.log()
