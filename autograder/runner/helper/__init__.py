"""What the processes beside a notebook do, and the child behind the wall does not."""
