"""Answers by people who knew the lessons and nothing else, and what the grader says of them."""
