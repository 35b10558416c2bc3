"""`python -m counsel`: the command `counsel`, of the interpreter that is named."""

from counsel.cli import main

if __name__ == "__main__":
    main()
