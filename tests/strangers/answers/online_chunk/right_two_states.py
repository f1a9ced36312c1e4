# makes a state of the chunk alone, then merges two states; keeps the contract
class _State:
    def __init__(self, o, m, l):
        self.o, self.m, self.l = o, m, l

    @classmethod
    def of_scores(cls, s, v):
        m = s.amax(dim=1)
        base = torch.where(m == -torch.inf, torch.zeros_like(m), m)
        p = torch.exp(s - base.unsqueeze(1))
        l = p.sum(dim=1)
        div = torch.where(l == 0, torch.ones_like(l), l)
        return cls(torch.mm(p, v) / div.unsqueeze(1), m, l)

    def __add__(self, other):
        m = torch.maximum(self.m, other.m)
        base = torch.where(m == -torch.inf, torch.zeros_like(m), m)
        a = self.l * torch.exp(self.m - base)
        b = other.l * torch.exp(other.m - base)
        l = a + b
        div = torch.where(l == 0, torch.ones_like(l), l)
        o = self.o * (a / div).unsqueeze(1) + other.o * (b / div).unsqueeze(1)
        return _State(o, m, l)


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if s.shape[1] == 0:
        return o.clone(), m.clone(), l.clone()
    new = _State(o, m, l) + _State.of_scores(s, v)
    return new.o, new.m, new.l
