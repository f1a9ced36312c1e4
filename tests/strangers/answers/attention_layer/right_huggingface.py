# Right: modelling code of transformers, F.linear, view and transpose, biases or three None.
import torch
import torch.nn.functional as F


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attention_interface = attend if attend is not None else causal_attention
    q_proj, k_proj, v_proj, o_proj = weights
    bsz, q_len, _ = x.size()
    q_bias, k_bias, v_bias = biases if biases is not None else (None, None, None)

    def project(weight, bias):
        return F.linear(x, weight, bias).view(bsz, q_len, weight.size(0) // d, d).transpose(1, 2)

    query_states = rotate(project(q_proj, q_bias), positions, frequencies)
    key_states = rotate(project(k_proj, k_bias), positions, frequencies)
    value_states = project(v_proj, v_bias)
    attn_output = attention_interface(query_states, key_states, value_states)
    attn_output = attn_output.transpose(1, 2).contiguous().view(bsz, q_len, -1)
    return F.linear(attn_output, o_proj)
