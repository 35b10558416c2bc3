"""A program is made again when a file that it was traced from has changed, and only then."""

from pathlib import Path

import pytest

import counsel
from counsel.models.sources import digest_of

FILES = {
    "models/gp.py": "from counsel.models.kernels import Kernel\n\n\ndef fit():\n"
    "    from counsel.acquisition import (\n        bounds,\n        ei,\n    )\n",
    "models/kernels.py": "import counsel.worlds.arm\n",
    "models/other.py": "from counsel.models.gp import fit\n",
    "acquisition/__init__.py": "",
    "acquisition/bounds.py": "from counsel.space.box import Box\n",
    "acquisition/ei.py": "from counsel.constraints import chance\n",
    "acquisition/ts.py": "",
    "constraints/__init__.py": "",
    "constraints/learned.py": "",
    "space/box.py": "",
    "worlds/arm.py": "",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("changed", sorted(FILES))
def test_the_digest_covers_what_is_imported_directly_or_not(
    changed: str, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    again = tmp_path_factory.mktemp("again")
    for name, text in FILES.items():
        (again / name).parent.mkdir(exist_ok=True)
        (again / name).write_text(text + ("# changed\n" if name == changed else ""))
    same = digest_of(["counsel.models.gp"], home) == digest_of(["counsel.models.gp"], again)
    # A package that is imported as such may pass on a name from any of its files.
    unseen = ["acquisition/__init__.py", "acquisition/ts.py", "models/other.py", "space/box.py"]
    assert same == (changed in unseen)


def test_every_compiled_function_of_the_package_is_in_a_room_that_is_looked_at() -> None:
    home = Path(counsel.__file__).parent
    using = [path for path in home.rglob("*.py") if "@compiled(" in path.read_text()]
    assert using
    for path in using:
        module = ".".join(("counsel", *path.relative_to(home).with_suffix("").parts))
        assert digest_of([module]) != digest_of([])
