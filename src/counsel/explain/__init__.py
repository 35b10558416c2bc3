"""Why this proposal: Shapley values of an acquisition's terms, parameter by parameter.

    | module        | what it holds                                                            |
    |---------------|--------------------------------------------------------------------------|
    | `background`  | the points that a proposal is compared with                              |
    | `game`        | what a set of parameters is worth: v(S) = E[term(theta_S, Z_-S)]          |
    | `exact`       | Shapley values from all coalitions                                       |
    | `product`     | the same without enumerating, where a term is a sum of products          |
    | `sampled`     | an estimate with standard errors, where there are too many coalitions    |
    | `methods`     | picks the method and says so                                             |
    | `attribution` | the result: values, base, total, errors; a table, a sentence             |
    | `sentence`    | the attribution in words                                                 |
    | `contrast`    | why this point and not that one, in words                                |
    | `together`    | pairs of parameters that act together                                    |
    | `grounds`     | what reasons rest on: other fits, and whose trials                       |
    | `path`        | attributions over the rounds of a study, and where it turns              |

`game`, `exact` and `sampled` know nothing of studies; they take whatever can be evaluated.
"""

from counsel.explain.attribution import Attribution, Shown, WhatIf

__all__ = ["Attribution", "Shown", "WhatIf", "attribute", "paths"]


def __getattr__(name: str) -> object:
    # Loaded on use: one needs the numerical core, the other pandas.
    if name == "attribute":
        from counsel.explain.methods import attribute

        return attribute
    if name == "paths":
        from counsel.explain.path import paths

        return paths
    raise AttributeError(f"module 'counsel.explain' has no attribute {name!r}")
