"""The cost of walking: real where the data are, a stand-in elsewhere."""

from pathlib import Path

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.worlds.prosthesis import SUBJECTS, prosthesis


def test_the_stand_in_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    assert prosthesis().name == "synthetic-prosthesis"
    for subject in (0, SUBJECTS + 1):
        with pytest.raises(InvalidInput, match="subject"):
            prosthesis(subject)


def test_a_wrong_folder_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="discrete_sweep_tidy"):
        prosthesis(1, tmp_path)


@pytest.mark.parametrize("subject", range(1, SUBJECTS + 1))
def test_every_person_has_a_least_cost(subject: int, data_folder: Path) -> None:
    world = prosthesis(subject, data_folder)
    assert world.name == f"prosthesis-{subject}"
    costs = world.function(np.linspace(-25.0, 25.0, 2001)[:, None])
    assert world.optimum <= costs.min()
    assert world.optimum == pytest.approx(costs.min(), rel=1e-5)
    assert 0.0 < world.noise < 0.2 * world.optimum
