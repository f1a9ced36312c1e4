# forbidden: the library's log of the softmax by its name in torch.ops
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    p = torch.ops.aten._log_softmax.default(logits[:, :-1], -1, False)
    return -p.gather(2, tokens[:, 1:, None]).mean()
