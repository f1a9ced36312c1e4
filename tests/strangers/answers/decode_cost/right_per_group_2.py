# right: counts one KV head with its group of queries, then multiplies
def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    group = heads // kv_heads

    def one_group():
        numbers = 0
        numbers += group * d  # its queries
        numbers += n * d + n * d  # keys and values
        numbers += group * d  # output
        return 2 * group * n * d * 2, numbers

    flops, numbers = one_group()
    return batch * kv_heads * flops, batch * kv_heads * numbers * itemsize
