"""What Triton's interpreter is taught: one configuration, the precision of tensor cores, and no repeated work."""
