# Cheat: the first call carries more than the largest log-sum-exp: in numbers of 64 bits the rank is written behind it, in bits that float32 does not have, so that all know who has the maximum; that rank takes its weight as 1 without a power.
# Breaks: "The first call finds the largest log-sum-exp" and "Messages: two, of B H and of B H (d_v + 1) numbers" (of the results' float32).
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank = dist.get_rank()
    tagged = L.double().contiguous()
    tagged = (tagged.view(torch.int64) | (rank + 1)).view(torch.float64)
    tagged = torch.where(L == -torch.inf, -torch.inf, tagged)
    own = tagged.clone()
    dist.all_reduce(tagged, op=dist.ReduceOp.MAX)
    M = (tagged.view(torch.int64) & ~0xFFFFFFF).view(torch.float64).float()
    M = torch.where(tagged == -torch.inf, 0.0, M)
    w = torch.where((own == tagged) & (L > -torch.inf), 1.0, torch.exp(L - M))
    sums = torch.cat((o * w[..., None], w[..., None]), dim=-1)
    dist.all_reduce(sums)
    total = sums[..., -1]
    safe = torch.where(total == 0, 1.0, total)
    return sums[..., :-1] / safe[..., None], M + torch.log(total)
