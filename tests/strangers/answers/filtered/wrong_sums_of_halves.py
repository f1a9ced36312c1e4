# half precision; "the sum is below p, in float32 or wider": the probabilities are rounded to 16 bits before they are summed
import numpy as np


def filtered(chunks, temperature, k, p):
    first = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if first == 0:
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.zeros((rows, k), np.int64)
        columns = np.broadcast_to(np.arange(first, first + width), chunk.shape)
        values = np.concatenate([top, chunk], axis=1)
        places = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(places, order, axis=1)
        first += width
    if temperature == 0:
        top[:, 1:], temperature = -np.inf, 1
    best = np.where(np.isneginf(top[:, :1]), 0, top[:, :1])
    weight = np.exp((top - best) / temperature)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    half = share.astype(np.float16).astype(np.float32)
    stays = (np.cumsum(half, axis=1) - half < p) | (p >= 1)
    weight = np.where(stays, weight, 0)
    return weight / np.maximum(weight.sum(axis=1, keepdims=True), 1), np.where(stays & ~np.isneginf(top), index, -1)
