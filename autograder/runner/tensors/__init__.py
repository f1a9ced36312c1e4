"""Torch as the meters see it: tensors, read by functions that no answer has touched, and what operators do."""
