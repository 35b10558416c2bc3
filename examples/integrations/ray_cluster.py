"""Your function on a Ray cluster, here one of two cores on this machine."""

import ray

import counsel as cs
from counsel.integrations.ray import RayExecutor


def simulate(values: dict) -> float:
    return -((values["angle"] - 20.0) ** 2)


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)  # a cluster that exists: address="auto"
    study = cs.create_study(cs.Space(angle=cs.Float(0, 45)), objective="lift", seed=0)
    study.optimize(simulate, trials=8, executor=RayExecutor())
    print("best", study.best.value)
    ray.shutdown()
