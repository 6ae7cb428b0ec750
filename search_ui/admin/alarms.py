"""Shows the open alarms, and sends a test alarm."""

from dataclasses import dataclass

from starlette.responses import Response

from engine.alerts import make_channels, send_test
from engine.config import Config
from search_ui.admin.overview import load_alerts
from search_ui.admin.page import Done
from search_ui.admin.rendering import render_admin
from search_ui.admin.request import AdminRequest

MAX_SHOWN = 200  # open alarms; hosts of seeds may have one each


@dataclass(frozen=True, slots=True)
class AlarmsPage:
    """The open alarms, oldest first, and who is told of them."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows the page."""
        alerts, channels = load_alerts(self.config), make_channels(self.config.alerts)
        return render_admin(
            "alarms.html", asked, alerts=alerts[:MAX_SHOWN], total=len(alerts), channels=list(channels)
        )

    def act(self, asked: AdminRequest) -> Done:
        """Sends a test alarm. Raises EngineError where crawl.toml names nobody."""
        outcomes = send_test(self.config)
        said = ", ".join(f"{name}: {why or 'sent'}" for name, why in outcomes.items())
        return Done("test alarm", said)
