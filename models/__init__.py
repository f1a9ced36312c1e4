"""Whole models around kernels/language_model.py: their text, their training, their checkpoints, and talking to them.

Read in this order: `text` (what is learned from), `own` (the learner's answers as a model's parts), `training`,
`checkpoint` (also real ones), `speaking`; and of what heads look at: `maps`, and `heads`, which are those of one model
that are kept.
"""
