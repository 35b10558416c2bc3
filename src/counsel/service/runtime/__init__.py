"""What runs behind the interface: open studies, the process that computes, metrics."""
