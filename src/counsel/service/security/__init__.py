"""Security: tokens, roles, sessions, limits."""
