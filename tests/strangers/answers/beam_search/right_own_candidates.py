# all B V continuations sorted by itself, texts as tensors, the bound asked before a step and not after it
import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    score, texts = torch.zeros(1), torch.zeros(1, 0, dtype=torch.int64)
    best, rows = torch.zeros(0), torch.zeros(0, max_tokens, dtype=torch.int64)
    for n in range(1, max_tokens + 1):
        total = score[:, None] + torch.log_softmax(logits, -1)
        total = torch.where(logits == -torch.inf, -torch.inf, total).flatten()
        total, place = torch.sort(total, descending=True, stable=True)
        place = place[total > -torch.inf]
        total = total[total > -torch.inf]
        beam, token = place // logits.shape[1], place % logits.shape[1]
        ends = token == end
        seen = torch.cumsum(~ends, 0) - (~ends).int() < n_beams
        whole = torch.cat([texts[beam], token[:, None]], dim=1)
        over = seen & (ends | (n == max_tokens))
        padded = torch.cat([whole[over], torch.full((int(over.sum()), max_tokens - n), -1)], dim=1)
        best, order = torch.sort(torch.cat([best, total[over] / n**alpha]), descending=True, stable=True)
        best, rows = best[:n_beams], torch.cat([rows, padded])[order[:n_beams]]
        on = seen & ~ends
        if n == max_tokens or not on.any():
            break
        score, texts = total[on], whole[on]
        if len(best) == n_beams and score.max() / max_tokens**alpha <= best.min():
            break
        logits = answers.grow(beam[on].tolist(), token[on].tolist())
    return best, rows
