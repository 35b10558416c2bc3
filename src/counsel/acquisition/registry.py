"""The registry of acquisitions. Each of them is also a policy by the same name (`policies`)."""

from dataclasses import dataclass

from counsel.registry import Entry, Registry

__all__ = ["AcquisitionEntry", "acquisitions"]


@dataclass(frozen=True, slots=True)
class AcquisitionEntry(Entry):
    """An acquisition; `arms_only` if it cannot be maximised over a box."""

    arms_only: bool = False


acquisitions = Registry(
    "acquisition", AcquisitionEntry, ("counsel.acquisition",), "counsel.acquisitions"
)
