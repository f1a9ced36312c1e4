# style: log_sum_exp by hand, take_along_dim, sum and numel
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z = logits[:, :-1]
    top = z.amax(dim=-1, keepdim=True)
    L = (z - top).exp_().sum(dim=-1).log_() + top[..., 0]
    right = z.take_along_dim(tokens[:, 1:, None], dim=-1)[..., 0]
    surprise = L - right
    return surprise.sum() / surprise.numel()
