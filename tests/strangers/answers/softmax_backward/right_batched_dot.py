# delta as a batch of 1 x N by N x 1 products; the difference is made by addcmul on p dp.
def softmax_backward(p, dp):
    rows = p.shape[0]
    delta = torch.bmm(p.unsqueeze(1), dp.unsqueeze(2)).view(rows, 1)
    ds = dp - delta
    return ds.mul_(p)
