"""People and machine deciding together: when to listen, and what listening is worth."""
