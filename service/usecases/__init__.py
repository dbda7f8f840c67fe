"""What people do here. Each use case takes primitives and returns a frozen dataclass."""
