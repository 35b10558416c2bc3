"""The REST interface: requests in, records out."""
