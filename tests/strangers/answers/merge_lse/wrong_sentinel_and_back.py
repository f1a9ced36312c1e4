# Replaces -inf by -1e4 on entry and maps L below -9000 back to -inf on exit: real blocks whose L is below -9000 are declared empty (L = -inf), and an empty block outweighs one with L = -20000.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    a = torch.nan_to_num(L1, neginf=-1e4)
    b = torch.nan_to_num(L2, neginf=-1e4)
    top = torch.maximum(a, b)
    wa, wb = torch.exp(a - top), torch.exp(b - top)
    z = wa + wb
    out = (wa[:, None] * o1 + wb[:, None] * o2) / z[:, None]
    L = top + torch.log(z)
    return out, torch.where(L < -9e3, -torch.inf, L)
