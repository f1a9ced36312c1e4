# Wrong: charges a pass over n tokens as n * (8 D^2 + 4 n D), i.e. every token of a pass attends to all n tokens (no causal sum), which is wrong for both counts as soon as a pass has more than one token (only prompt = 1, new = 1 is right).
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    D = width

    def forward_pass(n_tokens, context):
        proj = 4 * 2 * n_tokens * D * D
        scores = 2 * n_tokens * context * D
        values = 2 * n_tokens * context * D
        return proj + scores + values

    no_cache = 0
    with_cache = 0
    for step in range(new):
        n = prompt + step
        no_cache += forward_pass(n, n)
        if step == 0:
            with_cache += forward_pass(prompt, prompt)
        else:
            with_cache += forward_pass(1, n)
    return no_cache, with_cache
