# style: a list of kernels with operands and results
def standard_attention_accesses(n, d):
    thin, square = n * d, n**2
    kernels = [((thin, thin), square), ((square,), square), ((square, thin), thin)]
    return sum(sum(read) for read, _ in kernels), sum(written for _, written in kernels)
