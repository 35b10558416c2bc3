"""The pages."""

from fastapi import FastAPI

__all__ = ["attach"]


def attach(app: FastAPI, secret: str) -> None: ...
