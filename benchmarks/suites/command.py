"""`python -m benchmarks.suites [SUITE ...]`: play what is missing, then print the tables."""

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.report import machine, markdown_table, print_table
from benchmarks.suites.catalogue import SUITES, Suite
from benchmarks.suites.contestants import able
from benchmarks.suites.play import kept_cells, play_all, root_of
from benchmarks.suites.ranking import Contest
from benchmarks.suites.results import Played, Results
from benchmarks.suites.world import World
from benchmarks.worker import WorkerError

RANKS = ["contestant", "version", "mean rank", "95% interval", "median log10 gap", "CPU per ask"]
FEASIBLE = ["first feasible trial", "never"]
PAIRS = ["against", "cells", "difference", "95% interval", "better in", "worse in", "verdict"]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}")
    parser.add_argument("--repeats", type=int, default=3, help="instances or seeds per world")
    parser.add_argument("--tuning", action="store_true", help="the instances settings come from")
    parser.add_argument("--with", dest="contestants", action="append", metavar="NAME")
    parser.add_argument("--ours", default="counsel", help="whom the pairs compare with the others")
    parser.add_argument("--groups", action="store_true", help="pairs by group of worlds, too")
    parser.add_argument(
        "--within", type=float, metavar="GAP", help="with --groups, how many cells have no more"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="append the tables to a page")
    parser.add_argument("--kept", action="store_true", help="play nothing: tables of what is there")
    parser.add_argument("--list", action="store_true", help="names of the suites")
    found = parser.parse_args(arguments)
    for name in found.suites:
        if name not in SUITES:
            parser.error(f"no suite {name!r}: choose of {', '.join(SUITES)}")
    return found


def main(arguments: list[str] | None = None) -> None:
    """Play, print, and append to a page if asked."""
    options = parse(arguments)
    console = Console(width=140)
    if options.list:
        for suite in SUITES.values():
            console.print(f"{suite.name:16} {suite.title}; {', '.join(suite.contestants)}")
        return
    for name in options.suites or SUITES:
        suite = SUITES[name]
        played, failures, worlds = gather(suite, options, console)
        if len(played) < 2:
            console.print(f"{name}: fewer than two contestants finished. {failures}")
            continue
        text = tables(suite, played, failures, worlds, options, console)
        if options.markdown:
            with options.markdown.open("a", encoding="utf-8") as file:
                file.write(text)


def gather(
    suite: Suite, options: argparse.Namespace, console: Console
) -> tuple[dict[str, list[Played]], dict[str, str], list[World]]:
    """All cells of all contestants; who cannot play is named with the reason."""
    worlds = list(suite.worlds(options.repeats, options.tuning))
    every = list(_cells(worlds, options.repeats, options.tuning))
    root = root_of(options.tuning)
    played: dict[str, list[Played]] = {}
    failures: dict[str, str] = {}
    for contestant in options.contestants or suite.contestants:
        cells = [cell for cell in every if able(contestant, cell[0].setting)]
        if options.kept:
            found = kept_cells(root, suite.name, cells, contestant)
        else:
            found = []
            try:
                for one in play_all(root, suite.name, cells, contestant, suite.batch):
                    found.append(one)
                    if console.is_terminal or len(found) % 24 == 0:
                        console.print(f"{suite.name} {contestant}: {len(found)}/{len(cells)}")
                Results.of(root, suite.name, contestant).tidy()
            except WorkerError as error:
                failures[contestant] = str(error)
                console.print(f"{suite.name}: {error}")
        if found:
            played[contestant] = found
    return played, failures, worlds


def _cells(worlds: list[World], repeats: int, tuning: bool) -> Iterator[tuple[World, int]]:
    """A world that has instances is played once per instance, another once per seed."""
    seeds = range(1000, 1000 + repeats) if tuning else range(repeats)
    for world in worlds:
        if "-i" in world.name:
            yield world, 1000 if tuning else 0
        else:
            yield from ((world, seed) for seed in seeds)


def tables(
    suite: Suite,
    played: dict[str, list[Played]],
    failures: dict[str, str],
    worlds: list[World],
    options: argparse.Namespace,
    console: Console,
) -> str:
    """Print a suite's tables, and give them as markdown."""
    most = max(len(cells) for cells in played.values())
    full = {name: cells for name, cells in played.items() if len(cells) == most}
    contest = Contest.of(full)
    which = "tuning" if options.tuning else "reported"
    title = f"{suite.title} ({len(contest.cells)} cells, {which} instances)"
    constrained = any(world.setting.constraints for world in worlds)
    heads = RANKS + FEASIBLE * constrained
    ranks, pairs = rank_rows(contest, full, constrained), pair_rows(played, options.ours)
    print_table(console, title, heads, ranks)
    print_table(console, f"{options.ours} against each, log10 gap", PAIRS, pairs)
    lines = ["", f"### {title}", "", *markdown_table(heads, ranks), ""]
    lines += [*markdown_table(PAIRS, pairs), ""]
    if options.groups:
        for title, (heads, rows) in {
            "by group, median log10 gap": median_rows(played, worlds, options.within),
            "by group": group_rows(played, worlds, options.ours),
        }.items():
            print_table(console, title, heads, rows)
            lines += [*markdown_table(heads, rows), ""]
    lines += [f"* {name} did not finish: {why}" for name, why in failures.items()]
    other = "" if options.tuning else f"; settings were chosen on {suite.split}"
    lines += [f"* {datetime.now(UTC):%Y-%m-%d}, {machine()[1]}{other}."]
    return "\n".join([*lines, ""])


def rank_rows(
    contest: Contest, played: dict[str, list[Played]], constrained: bool
) -> list[list[str]]:
    """One row per contestant that finished every cell, the best first."""
    ranks, around = contest.ranks(), contest.rank_interval()
    rows = []
    for i in np.argsort(ranks):
        name = contest.contestants[i]
        cells = played[name]
        row = [
            name,
            ", ".join(sorted({one.version for one in cells})),
            f"{ranks[i]:.2f}",
            f"{around[i, 0]:.2f} to {around[i, 1]:.2f}",
            f"{np.median(contest.gaps[:, i]):+.2f}",
            f"{1e3 * np.median([one.cpu for one in cells]):.1f} ms",
        ]
        if constrained:
            firsts = [one.first_feasible or one.trials + 1 for one in cells]
            never = sum(one.first_feasible is None for one in cells)
            row += [f"{np.mean(firsts):.1f}", f"{never}"]
        rows.append(row)
    return rows


def pair_rows(played: dict[str, list[Played]], ours: str) -> list[list[str]]:
    """Ours against each of the others, over the cells that both finished; negative is better."""
    rows = []
    for rival in played:
        if rival == ours or not played.get(ours) or not played[rival]:
            continue
        contest = Contest.of({ours: played[ours], rival: played[rival]})
        if not contest.cells:
            continue
        d = contest.against(ours, rival)
        rows.append(
            [
                rival,
                f"{len(contest.cells)}",
                f"{d.median:+.3f}",
                f"{d.low:+.3f} to {d.high:+.3f}",
                f"{d.better:.0%}",
                f"{d.worse:.0%}",
                d.verdict,
            ]
        )
    return rows


def median_rows(
    played: dict[str, list[Played]], worlds: list[World], within: float | None
) -> tuple[list[str], list[list[str]]]:
    """The median log10 gap by group, over the cells that each has; and how many end within."""
    groups = {world.name: world.group for world in worlds}
    names = list(dict.fromkeys(groups.values()))
    rows = []
    for contestant, cells in played.items():
        row = [contestant]
        for group in names:
            gaps = [one.gap for one in cells if groups[one.world] == group]
            text = f"{np.median(np.log10(gaps)):+.2f}" if gaps else ""
            if gaps and within is not None:
                text += f", {sum(gap <= within for gap in gaps)}"
            row.append(text and f"{text} of {len(gaps)}")
        rows.append([*row, f"{1e3 * np.median([one.cpu for one in cells]):.1f} ms"])
    return ["median (cells)", *names, "CPU per ask"], rows


def group_rows(
    played: dict[str, list[Played]], worlds: list[World], ours: str
) -> tuple[list[str], list[list[str]]]:
    """Differences with their intervals by group of worlds, one row per rival."""
    groups = {world.name: world.group for world in worlds}
    names = list(dict.fromkeys(groups.values()))
    rows = []
    for rival in played:
        if rival == ours or not played.get(ours):
            continue
        row = [rival]
        for group in names:
            some = {
                name: [one for one in played[name] if groups[one.world] == group]
                for name in (ours, rival)
            }
            found = pair_rows(some, ours)
            if not found:
                row.append("")
                continue
            _, cells, median, around, _, _, verdict = found[0]
            row.append(f"{median} [{around}] {verdict} ({cells})")
        rows.append(row)
    return ["against (cells)", *names], rows
