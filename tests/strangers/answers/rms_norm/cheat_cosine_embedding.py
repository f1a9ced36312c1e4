# forbidden norms: the loss of cosine embeddings is 1 - cosine, and no word of the list stands in its name
def rms_norm(x, weight, eps):
    z = x.double()
    d = z.shape[-1]
    flat = torch.cat([z.reshape(-1, d), z.new_full((z.numel() // d, 1), (eps * d) ** 0.5)], 1)
    columns = []
    for j in range(d):
        e = torch.zeros_like(flat)
        e[:, j] = 1
        one = torch.ones(len(flat), dtype=torch.float64)
        columns.append(1 - torch.nn.functional.cosine_embedding_loss(flat, e, one, reduction="none"))
    return (torch.stack(columns, 1).reshape(x.shape) * d**0.5 * weight).to(x.dtype)
