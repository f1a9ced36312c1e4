# BREAKS: "Forbidden: cross_entropy, nll_loss, log_softmax."
# COSTS: the ready-made loss of torch.distributions: nothing is derived
from collections.abc import Callable, Sequence
import torch
from torch import Tensor
from kernels.gqa import grouped_attention  # the course's; it does what yours does
from torch.distributions import Categorical


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    return -Categorical(logits=logits[:, :-1], validate_args=False).log_prob(tokens[:, 1:]).mean()
