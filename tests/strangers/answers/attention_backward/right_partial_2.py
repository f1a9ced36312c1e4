# Right: functools.partial for the arguments that two launches share.
from functools import partial


def attention_backward(q, k, v, o, L, do, causal=False, scale=None, tile_m=None, tile_n=None):
    delta = row_delta(o, do)
    arguments = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    of_queries = partial(query_gradients, q, k, v, do, L, delta, **arguments)
    of_keys_and_values = partial(key_value_gradients, q, k, v, do, L, delta, **arguments)
    dq = of_queries()
    dk, dv = of_keys_and_values()
    return dq, dk, dv
