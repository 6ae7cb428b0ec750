"""Finds what an operator has to know of, and tells him: by a command, a webhook or mail."""

from engine.alerts.alert import Alert, AlertKind, Finding, describe_alert
from engine.alerts.channels import ChannelError, make_channels
from engine.alerts.crawl_watch import CrawlWatch
from engine.alerts.ledger import load_open
from engine.alerts.run_rules import describe_end
from engine.alerts.trial import send_test
from engine.alerts.watch import LOOK_SECONDS, AlertWatch

__all__ = [
    "LOOK_SECONDS",
    "Alert",
    "AlertKind",
    "AlertWatch",
    "ChannelError",
    "CrawlWatch",
    "Finding",
    "describe_alert",
    "describe_end",
    "load_open",
    "make_channels",
    "send_test",
]
