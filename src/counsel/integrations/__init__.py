"""Bridges to other people's tools; each needs an extra of its own."""
