"""Pictures of games, drawn from what lies face up and nothing else."""
