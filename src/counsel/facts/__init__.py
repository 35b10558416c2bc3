"""Facts: the records, their JSON form, and what they add up to."""
