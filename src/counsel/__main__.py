"""`python -m counsel`, where the program `counsel` is not on the path."""

from counsel.cli import main

if __name__ == "__main__":
    main()
