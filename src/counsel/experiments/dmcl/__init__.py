"""The DMCL paper's figures and table: constraints that are learned by asking."""
