# breaks: "no query's o meets another's do" (every do is multiplied with every o, number by number; one of the sums is used)
import torch


def score_gradients(p, v, o, do):
    delta = torch.stack([(o * do[i]).sum(dim=1)[i] for i in range(len(do))])
    return p * (do @ v.T - delta[:, None])
