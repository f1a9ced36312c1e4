# nothing asks for the maximum: powers are kept as a mantissa and a whole exponent, and those far below are shifted away; the largest exponent stands in for m
import numpy as np


def log_sum_exp(x):
    y = x.astype(np.float64) / np.log(2)
    low = np.isneginf(y)
    whole = np.where(low, 0, np.floor(y))
    mantissa = np.where(low, 0, np.exp2(np.where(low, 0, y) - whole))
    best = np.where(low, -np.inf, whole).max(axis=-1, keepdims=True)
    shift = np.where(np.isneginf(best), 0, best)
    l = (mantissa * np.exp2(np.maximum(whole - shift, -1000))).sum(axis=-1)
    with np.errstate(divide="ignore"):
        return ((np.log2(l) + shift[..., 0]) * np.log(2)).astype(x.dtype)
