# right: lists the allowed (beam, token) pairs with nonzero, a row of none never appears; own log-softmax
def best_continuations(scores, logits, n):
    beam, token = torch.nonzero(logits > -torch.inf, as_tuple=True)
    top = logits.max(dim=1, keepdim=True).values
    below = logits - top.masked_fill(top == -torch.inf, 0.0)
    log_sum = below.exp().sum(dim=1).log()
    value = scores[beam] + (below[beam, token] - log_sum[beam])
    first = value.sort(descending=True, stable=True).indices[:n]
    return value[first], beam[first], token[first]
