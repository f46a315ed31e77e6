"""One module for each notebook: its examples, exercises and quiz, and nothing else."""
