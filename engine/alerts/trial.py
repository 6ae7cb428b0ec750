"""Sends a test alarm, so that the operator knows that alarms arrive."""

import time
import uuid

from engine.alerts.alert import Alert, AlertKind
from engine.alerts.channels import ChannelError, make_channels
from engine.config import Config
from engine.errors import EngineError

_ADVICE = "Nothing is to be done: 'scrapy alerts test' sent this to show that alarms arrive."


def send_test(config: Config) -> dict[str, str]:
    """Sends a test alarm by every way; returns why it could not be sent by each, '' where it was.

    Raises EngineError without anybody to tell.
    """
    channels = make_channels(config.alerts)
    if not channels:
        raise EngineError("[alerts] of crawl.toml names nobody to tell; write command, webhook or smtp")
    now, number = time.time(), uuid.uuid4().hex
    alert = Alert(number, "test", AlertKind.TEST, "", now, None, "this is a test alarm", _ADVICE)
    outcomes: dict[str, str] = {}
    for name, channel in channels.items():
        try:
            channel(alert)
            outcomes[name] = ""
        except ChannelError as error:
            outcomes[name] = str(error)
    return outcomes
