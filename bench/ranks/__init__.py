"""The ring and the tree on the GPUs of one host, beside one GPU. Run by torchrun, a process for each GPU."""
