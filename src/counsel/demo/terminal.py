"""The demonstration: a complete small study in the terminal.

An exosuit helps with lifting and with lowering a load; each help has a gain between 0 and 50. Only
wearing the suit tells how comfortable two gains are. Counsel proposes gains; the wearer, who is
simulated here, accepts most proposals, rejects one and once tries her own idea.
"""

import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from counsel.errors import InvalidInput
from counsel.facts.records import Decision, Observation, Prediction, Proposal, Value
from counsel.space import Float, Space
from counsel.study import Study, create_study

OPTIMUM = {"lifting": 30.890963, "lowering": 17.100533}
NOISE = 0.1
WEARER = "ann"
IDEA = {"lifting": 36.0, "lowering": 13.0}
"""What the wearer considers good: not the optimum, but not far from it."""

_HIGH = 40.0
_SHOWN = 10  # trials at the end of the table
_PACE = 0.04  # seconds between trials on a screen: without it there is no bar to see
_WARMING = "warming up (compiling once; cached for next time)"
_COLOURS = {"accept": "green", "override": "yellow", "reject": "red"}
_INTRODUCTION = """\
Two gains of an exosuit are to be set so that wearing it is comfortable. The
machine proposes what to try and says what it expects; the wearer, Ann, accepts,
overrides or rejects, and then tells the machine what she felt.
"""


# ---- the world and the wearer -------------------------------------------------------------------


def comfort(lifting: float, lowering: float) -> float:
    r"""Comfort without noise: two hills on a gentle rise.

    $$ 8 e^{-((a-31)/12)^2 - ((b-17)/10)^2} + 5 e^{-((a-12)/9)^2 - ((b-38)/10)^2}
       + e^{-((a-25)/30)^2 - ((b-25)/30)^2} $$
    """

    def hill(height: float, a: float, b: float, wide: float, deep: float) -> float:
        away = ((lifting - a) / wide) ** 2 + ((lowering - b) / deep) ** 2
        return height * float(np.exp(-away))

    return hill(8, 31, 17, 12, 10) + hill(5, 12, 38, 9, 10) + hill(1, 25, 25, 30, 30)


def feel(values: Mapping[str, Value], seed: int, trial: int) -> float:
    """Comfort as felt in one trial: with a little noise, the same in every run."""
    noise = np.random.default_rng([seed, trial]).standard_normal()
    return comfort(*_gains(values)) + NOISE * float(noise)


def decide(study: Study, proposal: Proposal) -> Decision:
    """The wearer's decision.

    She rejects one proposal, the first with a high gain after three trials, and once, in the
    eighth trial or soon after, tries her own idea instead.
    """
    made = {fact.kind for fact in study.facts if isinstance(fact, Decision)}
    lifting, lowering = _gains(proposal.values)
    away = max(abs(lifting - IDEA["lifting"]), abs(lowering - IDEA["lowering"]))
    if proposal.round >= 4 and "reject" not in made and max(lifting, lowering) >= _HIGH:
        return study.reject(proposal, actor=WEARER, reason="that one hurt last week")
    if proposal.round >= 8 and "override" not in made and away > 5.0:
        return study.override(proposal, IDEA, actor=WEARER, reason="I have an idea")
    return study.accept(proposal, actor=WEARER)


# ---- the study ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trial:
    """One turn of the loop; `seconds` is how long the machine took to propose."""

    proposal: Proposal
    decision: Decision
    observation: Observation | None
    seconds: float


def start(policy: str = "v-ucb", seed: int = 0) -> Study:
    space = Space(lifting=Float(0, 50), lowering=Float(0, 50))
    return create_study(space, name="exosuit", objective="comfort", policy=policy, seed=seed)


def play(study: Study, trials: int) -> Iterator[Trial]:
    """The loop that Counsel is about: propose, decide, try, tell."""
    for _ in range(trials):
        began = time.perf_counter()
        proposal = study.ask()
        seconds = time.perf_counter() - began
        decision = decide(study, proposal)
        observation = None
        if decision.kind != "reject":
            felt = feel(decision.values or proposal.values, study.seed, proposal.round)
            observation = study.tell(proposal, felt, actor=WEARER)
        yield Trial(proposal, decision, observation, seconds)


def run(
    trials: int = 25,
    policy: str = "v-ucb",
    seed: int = 0,
    out: str | Path = "counsel-demo.html",
    console: Console | None = None,
) -> Study:
    """Run the study in a terminal, write its figures to `out`, and return it.

    When interrupted, it shows the results so far and re-raises KeyboardInterrupt.
    """
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise InvalidInput("trials", trials, "Give a whole number, one or more.")
    show = console if console is not None else Console(highlight=False)
    show.print(Text("Counsel: a study in your terminal", style="bold"))
    show.print(_INTRODUCTION)
    with _interrupts() as check:
        began = time.perf_counter()
        with _spinner(show):
            from counsel import plots

            target = plots.writable(out)
            study = start(policy, seed)
            _warm_up(policy, trials, check)
        warming = time.perf_counter() - began
        done: list[Trial] = []
        try:
            with _bar(show, trials) as advance:
                for trial in play(study, trials):
                    done.append(trial)
                    advance(trial)
                    check()
        finally:
            _show_trials(show, study, done)
        _show_check(show, study, done, warming)
        check()
        upcoming = study.ask()
        show.print(f"  next     {_point(upcoming.values)}{_expected(upcoming.prediction)}")
        figures = [plots.progress(study, optimum=comfort(**OPTIMUM)), plots.landscape(study)]
        plots.report(figures, target, "Counsel demo: an exosuit with two gains")
        show.print(Text(f"  plot     {target}"), soft_wrap=True)
    return study


def _warm_up(policy: str, trials: int, check: Callable[[], None]) -> None:
    """Compile what the trials will need, on a throwaway study."""
    rehearsal = start(policy)
    rng = np.random.default_rng(0)
    # Compiled code serves a range of sizes: up to 16 observations, then up to 32.
    for size in (3, 17):
        if size < trials:
            for _ in range(size - len(rehearsal.observations)):
                values = rehearsal.problem.space.decode(rng.uniform(size=2))
                rehearsal.tell(values, comfort(**values))
            rehearsal.ask()
        check()


@contextmanager
def _interrupts() -> Iterator[Callable[[], None]]:
    """Makes the first Ctrl-C wait for the next call of what is yielded; a second one does not wait.

    At any other moment, KeyboardInterrupt can be raised inside a JAX callback and be lost.
    """
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            signal.default_int_handler(number, frame)
        asked = True

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check  # somebody else handles interrupts
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# ---- the terminal -------------------------------------------------------------------------------


def _is_live(console: Console) -> bool:
    """Whether lines may be redrawn; otherwise there are only plain lines."""
    return console.is_terminal and not console.is_dumb_terminal


@contextmanager
def _spinner(console: Console) -> Iterator[None]:
    if _is_live(console):
        with console.status(_WARMING):
            yield
    else:
        console.print(_WARMING)
        yield


@contextmanager
def _bar(console: Console, trials: int) -> Iterator[Callable[[Trial], None]]:
    """What to call after each trial."""
    if not _is_live(console):
        console.print("  trial   lifting   lowering     predicted   decision                 felt")
        yield lambda trial: console.print(_line(trial))
        return
    columns = (
        SpinnerColumn(finished_text="✓"),
        TextColumn("trial"),
        MofNCompleteColumn(),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[best]}"),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=trials, best="")
        best = -np.inf

        def advance(trial: Trial) -> None:
            nonlocal best
            if trial.decision.kind != "accept":
                console.print(_event(trial))
            if trial.observation is not None:
                best = max(best, trial.observation.outcomes["comfort"])
            progress.update(task, advance=1, best=f"best felt {best:.2f}", refresh=True)
            time.sleep(_PACE)

        yield advance


def _line(trial: Trial) -> str:
    lifting, lowering = _gains(trial.proposal.values)
    return (
        f"{trial.proposal.round:>7} {lifting:>9.1f} {lowering:>10.1f} "
        f"{_prediction(trial.proposal.prediction):>13}   {_decision(trial):<22} {_felt(trial):>6}"
    )


def _event(trial: Trial) -> Text:
    """The wearer disagrees: the point of the demonstration."""
    decision, proposal = trial.decision, trial.proposal
    start = f"  trial {proposal.round:<2} "
    text = Text(f"{start}proposed: {_point(proposal.values)}{_expected(proposal.prediction)}\n")
    verb = {"reject": "rejects it", "override": "overrides it"}[decision.kind]
    text.append(f"{' ' * len(start)}{WEARER} {verb}", style=_COLOURS[decision.kind])
    text.append(f": {_point(decision.values)}" if decision.values is not None else "")
    return text.append(f' "{decision.reason}"')


def _show_trials(console: Console, study: Study, done: Sequence[Trial]) -> None:
    best = study.best
    if best is None:
        console.print("Nothing was tried.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True)
    for heading in ("trial", "lifting", "lowering", "predicted", "decision", "felt"):
        table.add_column(heading, justify="left" if heading == "decision" else "right")
    previous = 0
    for trial in done:
        won = trial.observation == best.observation
        count = trial.proposal.round
        if count <= len(done) - _SHOWN and trial.decision.kind == "accept" and not won:
            continue
        if count > previous + 1:
            table.add_row("…", style="dim")
        previous = count
        table.add_row(
            f"★ {count}" if won else str(count),
            *(f"{gain:.1f}" for gain in _gains(trial.proposal.values)),
            _prediction(trial.proposal.prediction),
            Text(_decision(trial), style=_COLOURS[trial.decision.kind]),
            _felt(trial),
            style="bold" if won else "",
        )
    console.print(table)
    truth = comfort(*_gains(best.values))
    console.print(f"  best ★   {_point(best.values)}; comfort {truth:.2f} without noise")
    console.print(f"  optimum  {_point(OPTIMUM)}; comfort {comfort(**OPTIMUM):.2f}")


def _show_check(console: Console, study: Study, done: Sequence[Trial], warming: float) -> None:
    replay = study.replay()
    verdict = "identical" if replay.identical else f"{len(replay.differences)} DIFFERENCES"
    console.print(f"  replay   replayed {replay.proposals} proposals: {verdict}")
    typical = 1000.0 * statistics.median(trial.seconds for trial in done)
    console.print(f"  time     {typical:.0f} ms per proposal, after {warming:.1f} s of warming up")


def _gains(values: Mapping[str, Value]) -> tuple[float, float]:
    return float(values["lifting"]), float(values["lowering"])


def _point(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} {float(value):.1f}" for name, value in values.items())


def _prediction(prediction: Prediction | None) -> str:
    return "-" if prediction is None else f"{prediction.mean:.2f} ± {prediction.sd:.2f}"


def _expected(prediction: Prediction | None) -> str:
    return "" if prediction is None else f"; predicted {_prediction(prediction)}"


def _decision(trial: Trial) -> str:
    own = trial.decision.values
    if own is None:
        return {"accept": "accepted", "reject": "rejected"}[trial.decision.kind]
    lifting, lowering = _gains(own)
    return f"overridden: {lifting:.1f}, {lowering:.1f}"


def _felt(trial: Trial) -> str:
    return "-" if trial.observation is None else f"{trial.observation.outcomes['comfort']:.2f}"
