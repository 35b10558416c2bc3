"""People and machine deciding together, on the exosuit's fifteen subjects."""
