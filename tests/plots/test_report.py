"""The report: one file that needs nothing else."""

import re
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs

import counsel as cs
from counsel import plots


def figure(name: str = "x") -> object:
    study = cs.create_study(cs.Space(**{name: cs.Float(0, 1)}), policy="random")
    study.tell(study.ask(), 1.0)
    return plots.progress(study)


def test_it_is_one_page_that_needs_no_network(tmp_path: Path) -> None:
    path = plots.report([figure(), figure()], tmp_path / "r.html", "Tea & <cake>")
    assert path == tmp_path / "r.html"
    page = path.read_text(encoding="utf-8")
    assert page.count(get_plotlyjs()) == 1
    ours = page.replace(get_plotlyjs(), "")
    assert "<title>Tea &amp; &lt;cake&gt;</title>" in ours
    assert ours.count("plotly-graph-div") >= 2
    assert 'name="viewport"' in ours
    assert not re.search(r"""(src|href)\s*=|https?://(?!plot\.ly)""", ours)


def test_the_same_study_gives_the_same_file(tmp_path: Path) -> None:
    first, second = (plots.report([figure()], tmp_path / name, "Tea") for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


def test_names_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    page = plots.report([figure("</script><script>alert(1)")], tmp_path / "r.html", "t").read_text()
    assert "</script><script>alert" not in page


@pytest.mark.parametrize("path", [".", "missing/r.html"])
def test_paths_that_cannot_be_written_are_refused(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cs.InvalidInput, match="path"):
        plots.report([figure()], path, "t")


def test_no_figures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(cs.InvalidInput, match="at least one figure"):
        plots.report([], tmp_path / "r.html", "t")
