"""Who gets in: roles, forged and ended tokens, and what a browser of another site can do."""

from collections.abc import Callable

import httpx
import pytest

from counsel.service.security.tokens import Tokens

BOX = [{"name": "x", "low": 0, "high": 1}]
AsRole = Callable[..., httpx.Client]


def test_roles(as_role: AsRole) -> None:
    owner, participant, viewer = (as_role(role) for role in ("owner", "participant", "viewer"))
    body = {"name": "roles", "parameters": BOX, "policy": "random"}
    assert [c.post("studies", json=body).status_code for c in (viewer, participant, owner)] == [
        403,
        403,
        201,
    ]
    assert viewer.post("studies/roles/proposals", json={}).status_code == 403
    assert participant.post("studies/roles/proposals", json={}).status_code == 201
    assert viewer.get("studies/roles/proposals").status_code == 200
    assert participant.delete("studies/roles").status_code == 403
    told = participant.post(
        "studies/roles/proposals/p1/observation", json={"value": 1, "actor": "somebody else"}
    )
    assert told.json()["actor"] == "a participant"  # the token's name, whatever the request says
    assert owner.delete("studies/roles").status_code == 204


def test_no_or_a_wrong_token(as_role: AsRole, guarded: tuple[str, Tokens]) -> None:
    address, tokens = guarded
    _, text = tokens.create("ann", "owner")
    nobody = as_role(None)
    refused = nobody.get("studies")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    secret = text.split("_", 2)[2]
    forged = [
        text[:-1] + ("a" if text[-1] != "a" else "b"),
        text.replace("counsel_", "counsel_f", 1),
        "counsel__",
        "nonsense",
        f"{text}_",
    ]
    for each in forged:
        answer = httpx.get(f"{address}/api/v1/studies", headers={"Authorization": f"Bearer {each}"})
        assert answer.status_code == 401, each
        assert secret not in answer.text
    basic = httpx.get(f"{address}/api/v1/studies", auth=("ann", text))
    assert basic.status_code == 401
    assert nobody.get("health").status_code == 200  # a health check needs none


def test_tokens_end(guarded: tuple[str, Tokens]) -> None:
    address, tokens = guarded
    made, text = tokens.create("ben", "viewer")
    headers = {"Authorization": f"Bearer {text}"}
    assert httpx.get(f"{address}/api/v1/studies", headers=headers).status_code == 200
    tokens.revoke(made.id)
    assert httpx.get(f"{address}/api/v1/studies", headers=headers).status_code == 401
    _, short = tokens.create("cid", "viewer", days=1e-9)
    headers = {"Authorization": f"Bearer {short}"}
    assert httpx.get(f"{address}/api/v1/studies", headers=headers).status_code == 401


def test_an_open_service_answers_to_this_machines_names_only(url: str) -> None:
    port = url.rsplit(":", 1)[1]
    for host, status in (
        (f"localhost:{port}", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil", 403),
    ):
        answer = httpx.get(f"{url}/api/v1/studies", headers={"Host": host})
        assert answer.status_code == status, host


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_other_sites_change_nothing(url: str, origin: str) -> None:
    body = {"name": f"csrf {origin.replace('/', '')}", "parameters": BOX}
    refused = httpx.post(f"{url}/api/v1/studies", json=body, headers={"Origin": origin})
    assert refused.status_code == 403
    same = httpx.post(f"{url}/api/v1/studies", json=body, headers={"Origin": url})
    assert same.status_code == 201
