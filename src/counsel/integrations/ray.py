"""A Ray cluster as a `concurrent.futures` executor, for `study.optimize`."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from counsel.errors import CounselError, install

__all__ = ["RayExecutor"]


class RayExecutor(Executor):
    """Runs functions as Ray tasks, on the cluster that `ray.init` has connected to.

    `options` are those of a Ray task, such as `num_gpus=1`.
    """

    def __init__(self, **options: Any) -> None:
        try:
            import ray
        except ImportError:
            raise CounselError(f"A Ray cluster needs Ray: {install('ray')}.") from None
        if not ray.is_initialized():
            raise CounselError("No Ray cluster is connected. Call ray.init(address=...) first.")
        self._ray = ray
        self._options = options
        self.max_workers = int(ray.cluster_resources().get("CPU", 1.0))

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        task = self._ray.remote(function)
        if self._options:
            task = task.options(**self._options)
        future: Future[Any] = task.remote(*args, **named).future()
        return future
