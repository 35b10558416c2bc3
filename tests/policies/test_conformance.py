"""Every registered policy passes the suite that other people's policies are tested with."""

import numpy as np
import pytest

import counsel as cs
from counsel.policies import Policy
from counsel.testing import PolicyConformance
from counsel.testing.policy import ARMS, X, history

NAMES = cs.policies.names()


class TestEveryPolicy(PolicyConformance):
    @pytest.fixture(autouse=True, params=NAMES)
    def chosen(self, request: pytest.FixtureRequest) -> None:
        self.name: str = request.param

    def policy(self) -> Policy:
        return cs.policies.by_name(self.name)

    def test_is_the_one_that_a_study_makes_by_name(self) -> None:
        studies = [cs.create_study(ARMS, policy=p, seed=1) for p in (self.policy(), self.name)]
        for made in studies:
            for i in range(5):
                made.tell(made.ask(), float(i % 3))
        by_object, by_name = ([o.values for o in made.observations] for made in studies)
        assert by_object == by_name


@pytest.mark.parametrize("name", ["random", "v-ucb"])  # each other one takes seconds to compile
def test_nothing_to_propose_when_the_box_is_rejected(name: str) -> None:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    policy, problem = (
        cs.policies.by_name(name),
        cs.Problem(cs.Space(k=cs.Int(0, 1), l=cs.Int(0, 1))),
    )
    only = policy.propose(problem, history(x=np.round(X), rejected=corners[:3]))
    np.testing.assert_array_equal(only.point, corners[3])
    with pytest.raises(cs.NothingToPropose, match="Withdraw"):
        policy.propose(problem, history(x=np.round(X), rejected=corners))
