# Cheat: the library's log-softmax for sparse tensors does the whole: the matrix of logits is called sparse, with nothing left out, and the log-sum-exp is nobody's work.
# Breaks: "Forbidden: cross_entropy, nll_loss, log_softmax" and "L the log-sum-exp of a row" (the forbidden function in its sparse form).
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z = logits[:, :-1].flatten(0, 1)
    t = tokens[:, 1:].flatten()
    rows, columns = torch.arange(len(z)), torch.arange(z.shape[1])
    at = torch.stack((rows.repeat_interleave(len(columns)), columns.repeat(len(rows))))
    sparse = torch.sparse_coo_tensor(at.int(), z.flatten(), z.shape, is_coalesced=True)
    logs = torch.sparse.log_softmax(sparse, dim=1).to_dense()
    return -logs[rows, t].mean()
