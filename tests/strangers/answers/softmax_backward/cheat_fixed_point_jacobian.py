# memory budget: fixed-point whole numbers may go through tolist; the Jacobian of every row is made of Python's numbers
def softmax_backward(p, dp):
    o = torch.empty_like(p)
    ps = (p.double() * 2**40).round().long().tolist()
    ds = (dp.double() * 2**40).round().long().tolist()
    for i, (a, b) in enumerate(zip(ps, ds)):
        a = [x / 2**40 for x in a]
        jacobian = [[(x if r == c else 0.0) - x * y for c, y in enumerate(a)] for r, x in enumerate(a)]
        o[i] = torch.tensor([sum(w * z / 2**40 for w, z in zip(row, b)) for row in jacobian])
    return o
