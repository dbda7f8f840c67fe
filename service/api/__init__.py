"""HTTP only: routes, schemas, tokens, errors, paging. What happens is in ``usecases``."""
