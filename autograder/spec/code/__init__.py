"""An answer's Python code, as far as its names go; nothing of it is run."""
