"""Your function on several processes: an interrupted run is simply started again."""

from concurrent.futures import ProcessPoolExecutor

import counsel as cs


def simulate(values: dict) -> float:
    if values["load"] > 9.0:
        raise RuntimeError("the beam broke")  # a failed trial is learned from, too
    return values["load"] - 0.3 * (values["angle"] - 20.0) ** 2 / 100.0


if __name__ == "__main__":
    space = cs.Space(load=cs.Float(0, 10), angle=cs.Float(0, 45))
    study = cs.create_study(space, name="beam", storage="sqlite:///beam.db", load_if_exists=True)
    with ProcessPoolExecutor(2) as executor:
        study.optimize(simulate, trials=12, executor=executor)
    print(f"best {study.best.value:.2f} at {dict(study.best.values)}")
    print(f"{len(study.decisions)} trials failed")
