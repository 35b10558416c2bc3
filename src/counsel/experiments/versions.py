"""What a result was made with: versions of packages, and a digest of the code that computes."""

import ast
import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import counsel

__all__ = ["made_with"]

_PACKAGES = ("equinox", "jax", "jaxlib", "numpy")
# What decides about numbers. Reports and progress bars may change without a seed being run again.
_SOURCES = (
    "acquisition",
    "constraints",
    "models",
    "worlds",
    "policies",
    "explain",
    "space",
    "experiments/loop.py",
    "experiments/pulls.py",
    "experiments/seconds.py",
    "experiments/shapley/rounds.py",
    "experiments/lw_ucb/authors.py",
    "experiments/asking.py",
    "experiments/dmcl/linear.py",
    "experiments/dmcl/protocol.py",
    "experiments/dmcl/studies.py",
    "experiments/teams/runs.py",
    "teams/credit.py",
    "teams/fused.py",
    "teams/people.py",
    "teams/rules.py",
    "teams/team.py",
)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def _made_with() -> tuple[tuple[str, str], ...]:
    return (
        ("counsel", counsel.__version__),
        ("code", _code()),
        ("python", platform.python_version()),
        *((package, version(package)) for package in _PACKAGES),
        ("machine", f"{platform.system()} {platform.machine()}"),
    )


def made_with() -> dict[str, str]:
    return dict(_made_with())


def _code() -> str:
    """A digest of the syntax trees: comments, docstrings and layout do not count."""
    root = Path(counsel.__file__).parent
    digest = hashlib.sha256()
    for source in _SOURCES:
        place = root / source
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.relative_to(root).as_posix().encode())
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False):
                    del node.body[0]
            digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:16]
