"""What the person at the keyboard can mend."""


class Mistake(ValueError):
    """The message says in one sentence what is wrong and what to do; the command line prints it and nothing else."""
