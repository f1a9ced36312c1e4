# A Python loop over rows with three plain cases: masked, first or larger score, smaller score.
import math


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o, m, l = o.clone(), m.clone(), l.clone()
    for r in range(len(m)):
        old, score, den = m[r].item(), s[r].item(), l[r].item()
        if score == -math.inf:
            continue
        if score > old:
            past, fresh = den * math.exp(old - score), 1.0
            m[r] = s[r]
        else:
            past, fresh = den, math.exp(score - old)
        l[r] = past + fresh
        o[r] = (past / (past + fresh)) * o[r] + (fresh / (past + fresh)) * v
    return o, m, l
