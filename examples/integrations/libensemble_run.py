"""libEnsemble simulates on two workers, Counsel proposes."""

from gest_api.vocs import VOCS
from libensemble import Ensemble
from libensemble.alloc_funcs.start_only_persistent import only_persistent_gens
from libensemble.specs import AllocSpecs, ExitCriteria, GenSpecs, LibeSpecs, SimSpecs

from counsel.integrations.gest import CounselGenerator


def simulate(point):
    return {"drag": (point["angle"] - 3.0) ** 2}


if __name__ == "__main__":
    vocs = VOCS(variables={"angle": [0.0, 10.0]}, objectives={"drag": "MINIMIZE"})
    counsel = CounselGenerator(vocs, seed=0)
    ensemble = Ensemble(
        libE_specs=LibeSpecs(comms="threads", nworkers=2, gen_on_manager=True, final_gen_send=True),
        gen_specs=GenSpecs(generator=counsel, vocs=vocs, initial_batch_size=2, batch_size=2),
        sim_specs=SimSpecs(simulator=simulate, vocs=vocs),
        alloc_specs=AllocSpecs(alloc_f=only_persistent_gens),
        exit_criteria=ExitCriteria(sim_max=8),
    )
    ensemble.run()
    print(len(counsel.study.observations), "simulations, best", counsel.study.best.value)
