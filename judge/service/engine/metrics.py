"""Metrics for Prometheus and a health check.

The metrics are the events of the log, what waits, and for how long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from datetime import datetime
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, Counter, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from judge.service.engine.watch import Watch
from judge.service.post.budgets import Used, used


class EventCounter:
    """Counts the lines of the log, as a structlog processor."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        about = "Lines of the log; those about single mails by the kind of mail as well"
        self.events = Counter("judge_events", about, ("event", "kind"), registry=self.registry)

    def __call__(self, _logger: object, _level: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Count a line and pass it on."""
        self.events.labels(line.get("event", ""), line.get("kind", "")).inc()
        return line


class Gauges(Collector):
    """The current state of queues, games and disk, measured at each scrape."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def collect(self) -> Iterator[Metric]:
        """Yield one metric family after another."""
        now = self.watch.clock()
        with self.watch.store.look() as work:
            census, budgets = work.census(), used(work, now)
        states = {
            "judge_inbox_mails": ("Mails that came in, by state", census.inbox),
            "judge_outbox_mails": ("Mails that go out, by state", census.outbox),
            "judge_games": ("Games, by state", census.games),
        }
        for name, (about, counts) in states.items():
            family = GaugeMetricFamily(name, about, labels=("state",))
            for state, count in counts.items():
                family.add_metric((state,), count)
            yield family
        ages = {
            "judge_inbox_oldest_seconds": ("Age of the oldest mail to be worked", census.waiting_since),
            "judge_outbox_oldest_seconds": ("Age of the oldest mail to leave", census.queued_since),
            "judge_clock_late_seconds": ("For how long a phase should have been closed", census.due_since),
        }
        for name, (about, since) in ages.items():
            yield GaugeMetricFamily(name, about, _seconds(since, now))
        yield from _of_budgets(budgets)
        free = self.watch.free_megabytes()
        if free is not None:
            yield GaugeMetricFamily("judge_disk_free_megabytes", "Left on the disk of the database", free)


def _of_budgets(budgets: Mapping[str, Used]) -> Iterator[Metric]:
    """Yield the use of a day's budgets: the largest share, and how many are spent.

    The largest share is that of one address or person, for each part of the budget.
    """
    share = GaugeMetricFamily(
        "judge_budget_used_ratio", "Of a day's budget, by who used most", labels=("whose", "part")
    )
    over = GaugeMetricFamily("judge_budgets_spent", "Addresses and senders whose budget is spent", labels=("whose",))
    for whose, one in budgets.items():
        share.add_metric((whose, "letters"), one.most.letters / one.budget.letters)
        share.add_metric((whose, "bytes"), one.most.size / one.budget.size)
        if one.budget.work:
            share.add_metric((whose, "work"), one.most.work / one.budget.work)
        over.add_metric((whose,), one.over)
    yield from (share, over)


def _seconds(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so it is called there
        """Log nothing: health checks and scrapes are not events."""


class MetricsServer:
    """Serves `/metrics` and `/healthz` by HTTP, in a thread of its own."""

    def __init__(
        self, host: str, port: int, registry: CollectorRegistry, complaints: Callable[[], Iterable[str]]
    ) -> None:
        metrics = make_wsgi_app(registry)

        def answer(environ: Any, start_response: Any) -> Any:  # noqa: ANN401 - WSGI
            if environ["PATH_INFO"] != "/healthz":
                return metrics(environ, start_response)
            found = list(complaints())
            status = "503 Service Unavailable" if found else "200 OK"
            start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
            return ["\n".join(found or ["well"]).encode() + b"\n"]

        self.server = make_server(host, port, answer, _Server, _Handler)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, name="metrics", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop answering requests."""
        self.server.shutdown()
        self.server.server_close()
