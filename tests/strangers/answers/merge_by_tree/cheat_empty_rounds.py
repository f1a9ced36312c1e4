# Cheat: before each exchange all ranks go through a round of empty messages round a ring and wait for it
# Breaks: "Messages: one for each round, o and L in one tensor. No collective, nor a barrier."
def ring_of_nothing(rank: int, size: int) -> None:
    for _ in range(size - 1):
        sent = dist.isend(torch.empty(0), (rank + 1) % size)
        come = dist.irecv(torch.empty(0), (rank - 1) % size)
        sent.wait()
        come.wait()


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    state = torch.cat((o, L[..., None]), dim=-1).contiguous()
    other = torch.empty_like(state)

    def merged(a, b):
        top = torch.maximum(a[..., -1:], b[..., -1:])
        top = top.masked_fill(top == -torch.inf, 0)
        x, y = torch.exp(a[..., -1:] - top), torch.exp(b[..., -1:] - top)
        total = x + y
        mean = (a[..., :-1] * x + b[..., :-1] * y) / total.masked_fill(total == 0, 1)
        return torch.cat((mean, top + torch.log(total)), dim=-1)

    if rank >= power:
        dist.isend(state, rank - power).wait()
    elif rank + power < size:
        dist.irecv(other, rank + power).wait()
        state = merged(state, other)
    for i in range(power.bit_length() - 1):
        ring_of_nothing(rank, size)
        if rank < power:
            sent = dist.isend(state, rank ^ 1 << i)
            dist.irecv(other, rank ^ 1 << i).wait()
            sent.wait()
            state = merged(state, other)
    ring_of_nothing(rank, size)
    if rank >= power:
        dist.irecv(state, rank - power).wait()
    elif rank + power < size:
        dist.isend(state, rank + power).wait()
    return state[..., :-1].clone(), state[..., -1].clone()
