"""Who may do what: tokens, roles, limits."""
