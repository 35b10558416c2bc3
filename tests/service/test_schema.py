"""The OpenAPI document keeps its word: whatever is sent, the answer is one that it announces."""

from collections.abc import Iterator

import httpx
import hypothesis
import pytest
import requests
import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

from counsel.service.app import create_app
from counsel.service.security.middleware import Limits
from counsel.service.security.tokens import Tokens
from service.conftest import running

_PATHS = create_app(pages=False).openapi()["paths"]
OPERATIONS = [(path, method) for path, methods in _PATHS.items() for method in methods]


@pytest.fixture(scope="module")
def api() -> Iterator[tuple[httpx.Client, schemathesis.schemas.BaseSchema]]:
    tokens = Tokens()
    headers = {"Authorization": f"Bearer {tokens.create('ann', 'owner')[1]}"}
    with running(tokens=tokens, limits=Limits(rate=1e6, burst=1e6)) as url:
        schema = schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json")
        with httpx.Client(base_url=f"{url}/api/v1/", headers=headers) as http:
            yield http, schema


@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=[f"{m} {p}" for p, m in OPERATIONS])
def test_answers_are_as_announced(
    api: tuple[httpx.Client, schemathesis.schemas.BaseSchema], path: str, method: str
) -> None:
    http, schema = api
    body = {"name": "0", "parameters": [{"name": "x", "low": 0, "high": 1}], "policy": "random"}
    http.post("studies", json=body)  # a study whose facts can be met
    http.post("studies/0/proposals", json={"n": 3})
    http.post("studies/0/observations", json={"values": {"x": 0.5}, "value": 1})
    operation = schema[path][method.upper()]

    @hypothesis.given(case=operation.as_strategy())
    @hypothesis.settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def keeps_its_word(case: schemathesis.Case) -> None:
        # Which names and values a study takes is the study's own: the document cannot tell.
        case.call_and_validate(
            session=session,
            headers={"Authorization": http.headers["Authorization"]},
            excluded_checks=[positive_data_acceptance],
            timeout=60,
        )

    with requests.Session() as session:
        keeps_its_word()
