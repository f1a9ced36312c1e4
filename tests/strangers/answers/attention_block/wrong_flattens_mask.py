# Fills the scores through flat views: a mask that is itself a view of another layout cannot be flattened so.
def attention_block(q, k, v, mask=None, scale=None):
    s = q.matmul(k.t()).mul_(scale if scale is not None else 1 / q.shape[1] ** 0.5)
    if mask is not None:
        s.view(-1)[mask.view(-1).logical_not()] = float("-inf")
    m = s.amax(1)
    e = (s - m.nan_to_num(neginf=0.0).unsqueeze(1)).exp()
    l = e.sum(1)
    return e.matmul(v) / (l + (l == 0)).unsqueeze(1), m, l
