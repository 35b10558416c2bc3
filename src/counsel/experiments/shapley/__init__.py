"""The ShapleyBO paper's explanations of proposals."""
