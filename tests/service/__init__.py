"""A package, so that its browser and its service end with its last test."""
