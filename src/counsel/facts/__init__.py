"""Facts: the records, the one JSON form they have, what they add up to, and the ledger."""
