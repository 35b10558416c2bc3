"""Counts and times for Prometheus: one registry per app, so that two apps do not share numbers."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

__all__ = ["Metrics"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "counsel_requests_total",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "counsel_request_seconds",
            "Time to answer a request.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._wait = Histogram(
            "counsel_compute_wait_seconds",
            "Time that work waited for a compute or ask thread.",
            buckets=_SECONDS,
            registry=self._registry,
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def waited(self, seconds: float) -> None:
        self._wait.observe(seconds)

    def text(self) -> tuple[bytes, str]:
        return generate_latest(self._registry), CONTENT_TYPE_LATEST
