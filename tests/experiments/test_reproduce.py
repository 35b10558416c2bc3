"""The experiments by name, their reports, and the authors' recorded values."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from counsel.errors import NotFound
from counsel.experiments.lw_ucb import recorded
from counsel.experiments.lw_ucb.runtime import RUNTIME
from counsel.experiments.lw_ucb.sensors import SNAPSHOTS, snapshot
from counsel.experiments.registry import experiments
from counsel.experiments.reproduce import list_experiments, report, reproduce
from experiments.tiny import TINY

_THEIR_NAMES = {
    "LW-UCB": "LW_LCB",
    "V-UCB": "LCB_v",
    "GP-UCB": "LCB",
    "EI": "EI",
    "TS": "TS",
}


def test_every_experiment_is_listed_with_what_it_mirrors() -> None:
    listed = list_experiments()
    names = [name for name, _, _ in listed]
    assert names == sorted(experiments.names())
    assert {name.split("/")[0] for name in names} == {"dmcl", "lw-ucb", "shapley", "teams"}
    papers = {
        "lw-ucb": "LW-UCB paper",
        "shapley": "ShapleyBO paper",
        "teams": "ShapleyBO paper",
        "dmcl": "DMCL paper",
    }
    assert all(papers[name.split("/")[0]] in mirrors for name, _, mirrors in listed)


def test_an_unknown_name_gets_the_list(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="lw-ucb/synthetic"):
        reproduce("lw-ucb/figure-9", out=tmp_path)


@pytest.mark.parametrize("name", experiments.names())
def test_an_experiment_fits_together(name: str) -> None:
    experiment = experiments.get(name).thing
    assert experiment.name == name
    for build in experiment.worlds.values():
        assert build(0) is build(0)  # built once
    assert {method.group for method in experiment.methods} == set(experiment.groups)


@pytest.mark.parametrize(
    ("values", "benchmarks", "after"),
    [
        (recorded.SYNTHETIC, ["Cosine_sys", "Mich_sys", "Modi_Mich_sys"], 150),
        (recorded.EARLY, ["Cosine_sys", "Mich_sys", "Modi_Mich_sys"], 50),
        (recorded.WHEEL, ["wheel_05", "wheel_07", "wheel_09"], 100),
        (recorded.SENSORS, ["Temperature"], 50),
    ],
)
def test_recorded_values_are_the_authors(
    values: dict[str, dict[str, recorded.Recorded]],
    benchmarks: list[str],
    after: int,
    data_folder: Path,
) -> None:
    table = pd.read_csv(data_folder / "lwucb_reference_regrets" / "summary.csv")
    last = table[table["t"] == after].set_index(["benchmark", "method"])
    for benchmark, methods in zip(benchmarks, values.values(), strict=True):
        for name, value in methods.items():
            row = last.loc[(benchmark, _THEIR_NAMES[name])]
            assert value == (row["median_cum_regret"], row["MAD_cum_regret"], row["trials"])


def test_recorded_sweep_is_the_authors(data_folder: Path) -> None:
    table = pd.read_csv(data_folder / "lwucb_reference_regrets" / "summary.csv")
    last = table[table["t"] == table["T"]].set_index(["benchmark", "method"])
    plain = {"Cosine_sys": 2, "Mich_sys": 4, "Modi_Mich_sys": 4}
    for benchmark, counts in zip(plain, recorded.COMPONENTS.values(), strict=True):
        for count, value in counts.items():
            suffix = "" if count == plain[benchmark] else f"_{count}gmm"
            row = last.loc[(benchmark, f"LW_LCB{suffix}")]
            assert value == (row["median_cum_regret"], row["MAD_cum_regret"], row["trials"])


def test_all_sensor_seeds_are_all_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    names = {snapshot(seed).name for seed in range(SNAPSHOTS)}
    assert names == {f"synthetic-sensors-{index}" for index in range(SNAPSHOTS)}


def test_the_report_stands_alone_and_tells_differences(tmp_path: Path) -> None:
    path = report(TINY, 3, tmp_path, "local", 1, None, False, Console(quiet=True))
    page = path.read_text(encoding="utf-8")
    summary = (path.parent / "summary.md").read_text(encoding="utf-8")
    assert "Tiny &lt;experiment&gt;" in page
    assert page.count('class="plotly-graph-div"') == 4
    assert 'src="http' not in page
    for text in (page, summary):
        assert "counsel reproduce tests/tiny --seeds 3" in text
        assert "A known difference in V-UCB: it was another one." in text
        assert "Higher here: V-UCB" in text
        assert "LW-UCB less V-UCB" in text
    again = report(TINY, 3, tmp_path, "local", 1, None, False, Console(quiet=True))
    text = (again.parent / "summary.md").read_text(encoding="utf-8")
    assert text.split("## How")[0] == summary.split("## How")[0]


def test_other_lengths_are_not_held_against_the_record(tmp_path: Path) -> None:
    shorter = replace(TINY, rounds=5)
    path = report(shorter, 3, tmp_path, "local", 1, None, False, Console(quiet=True))
    assert "authors" not in (path.parent / "summary.md").read_text(encoding="utf-8")


def test_seconds_are_told_with_their_compilations() -> None:
    weighted, *_ = labels = [method.label for method in RUNTIME.methods]
    rows = pd.DataFrame(
        {
            "world": world,
            "method": method,
            "seed": seed,
            "observed": n,
            "seconds": 0.04,
            "cpu_seconds": 0.02 * (1 + (method == weighted)),
            "compiled_before": 3,
            "compiled_timed": 0,
        }
        for world in RUNTIME.worlds
        for method in labels
        for n in (10, 50, 150)
        for seed in range(2)
    )
    report = RUNTIME.tell(RUNTIME, rows)
    assert len(report.chapters) == len(RUNTIME.worlds) == 3
    for world, remark in zip(RUNTIME.worlds, report.remarks, strict=False):
        assert remark.startswith(f"{world}: a round of LW-UCB costs 2.0, 2.0, 2.0 times the CPU")
        assert "with 10, 50, 150 observations (40.0 and 20.0, " in remark
    assert "105 times less" in report.remarks[3]
    assert report.remarks[4] == "Nothing was compiled while the clock ran."
    wall, cpu, compiled = report.chapters[0].tables
    assert wall.rows[1] == ("V-UCB", *["40.0 (0.0)"] * 3)
    assert cpu.rows[1] == ("V-UCB", *["20.0 (0.0)"] * 3)
    assert compiled.rows[1] == ("V-UCB", "3", "3", "3", "0")
