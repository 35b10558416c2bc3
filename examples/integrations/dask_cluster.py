"""Your function on a Dask cluster, here one of two processes on this machine."""

from distributed import Client, LocalCluster

import counsel as cs


def simulate(values: dict) -> float:
    return -((values["angle"] - 20.0) ** 2)


if __name__ == "__main__":
    study = cs.create_study(cs.Space(angle=cs.Float(0, 45)), objective="lift", seed=0)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,  # a cluster that exists: Client("tcp://scheduler:8786")
    ):
        study.optimize(simulate, trials=8, executor=client)
    print("best", study.best.value)
