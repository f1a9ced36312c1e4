"""What is asked of an answer besides its values: operations, budgets, calls, and that it compiles."""
