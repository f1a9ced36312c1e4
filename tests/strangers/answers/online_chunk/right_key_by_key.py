# Feeds the columns of the chunk one by one to online_step; a clone covers a chunk of width 0.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    state = o.clone(), m.clone(), l.clone()
    for column, value in zip(s.unbind(1), v.unbind(0)):
        state = online_step(*state, column, value)
    return state
