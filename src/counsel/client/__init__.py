"""A study on another machine, with the verbs of `Study`.

    client = counsel.Client("http://127.0.0.1:8000", token="counsel_...")
    study = client.load_study("exosuit")
    proposal = study.ask()
    study.tell(proposal, 1.8)

connection.py   requests, retries, and errors raised as `Study` would raise them
client.py       a service: create, load, list and delete its studies
study.py        one study: every verb of `StudyLike`

Needs the extra `server`.
"""

from counsel.client.client import Client
from counsel.client.study import RemoteStudy

__all__ = ["Client", "RemoteStudy"]
