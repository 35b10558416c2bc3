"""Stores the explanations that people were shown: one row each, one per term, one per term and
parameter.

An explanation can be rebuilt from facts; who saw it, and what it said at the time, cannot.
"""

import numpy as np
import sqlalchemy as sa

from counsel.explain.attribution import Attribution, Shown
from counsel.storage import schema

__all__ = ["insert_shown", "select_shown"]


def insert_shown(connection: sa.Connection, study: int, shown: Shown) -> None:
    why = shown.attribution
    table = schema.explanations.c
    last = sa.select(sa.func.max(table.number)).where(table.study_id == study)
    key = {"study_id": study, "number": (connection.execute(last).scalar() or 0) + 1}
    row = {
        **key,
        "proposal": why.proposal,
        "actor": shown.actor,
        "time": shown.time,
        "point": why.point,
        "context": why.context,
        "background": why.background,
        "evaluations": why.evaluations,
        "note": why.note,
        "instead_of": why.instead_of,
        "gaps": why.gaps,
    }
    connection.execute(sa.insert(schema.explanations), row)
    terms = [
        {
            **key,
            "position": i,
            "term": term,
            "method": why.methods[i],
            "base": float(why.base[i]),
            "total": float(why.total[i]),
            "log_weight": float(why.log_weights[i]),
            "interactions": None if why.interactions is None else why.interactions[i].tolist(),
        }
        for i, term in enumerate(why.terms)
    ]
    parts = [
        {
            **key,
            "term": term,
            "position": j,
            "parameter": parameter,
            "value": float(why.values[i, j]),
            "error": float(why.error[i, j]),
        }
        for i, term in enumerate(why.terms)
        for j, parameter in enumerate(why.parameters)
    ]
    connection.execute(sa.insert(schema.explanation_terms), terms)
    connection.execute(sa.insert(schema.explanation_parts), parts)


def select_shown(connection: sa.Connection, study: int) -> list[Shown]:
    about = sa.select(schema.studies.c.objective, schema.studies.c.direction)
    objective, direction = connection.execute(about.where(schema.studies.c.id == study)).one()
    heads, terms, parts = (
        connection.execute(
            sa.select(table).where(table.c.study_id == study).order_by(*order(table))
        )
        .mappings()
        .all()
        for table in (schema.explanations, schema.explanation_terms, schema.explanation_parts)
    )
    found = []
    for head in heads:
        own = [row for row in terms if row["number"] == head["number"]]
        cells = [row for row in parts if row["number"] == head["number"]]
        shape = (len(own), len(cells) // len(own))
        rank = {row["term"]: row["position"] for row in own}
        cells.sort(key=lambda row, rank=rank: (rank[row["term"]], row["position"]))  # type: ignore[misc]
        why = Attribution(
            terms=tuple(row["term"] for row in own),
            parameters=tuple(row["parameter"] for row in cells[: shape[1]]),
            values=np.array([row["value"] for row in cells]).reshape(shape),
            base=np.array([row["base"] for row in own]),
            total=np.array([row["total"] for row in own]),
            error=np.array([row["error"] for row in cells]).reshape(shape),
            log_weights=np.array([row["log_weight"] for row in own]),
            methods=tuple(row["method"] for row in own),
            background=head["background"],
            evaluations=head["evaluations"],
            point=head["point"],
            context=head["context"],
            proposal=head["proposal"],
            objective=objective,
            direction=direction,
            note=head["note"],
            instead_of=head["instead_of"],
            gaps=head["gaps"],
            interactions=(
                np.array([row["interactions"] for row in own])
                if all(row["interactions"] is not None for row in own)
                else None
            ),
        )
        found.append(Shown(head["actor"], head["time"], why))
    return found


def order(table: sa.Table) -> list[sa.Column[int]]:
    return [table.c.number, *([table.c.position] if "position" in table.c else [])]
