"""The demonstration: a small study in the terminal, and ready studies for the pages.

terminal.py      a whole study with a simulated wearer
demo_studies.py  studies with simulated worlds, for the pages
arm.py           studies of movements that a person made with the arm
arm_page.py      the page where a person corrects the moving arm
"""
