"""Lists the operator's pages."""

from collections.abc import Callable, Iterator
from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.admin import AdminAccess, OperatorServices
from engine.config import Config, ServerConfig
from search_ui.admin.alarms import Alarms
from search_ui.admin.audit import show_audit
from search_ui.admin.failures import Failures
from search_ui.admin.gate import Gate
from search_ui.admin.hosts import Hosts
from search_ui.admin.login import answer_login, answer_logout
from search_ui.admin.lookup import Lookup
from search_ui.admin.overview import Overview
from search_ui.admin.page import LOGIN, ROOT, Act, AdminEndpoint, AdminRequest, PageContext, answer_page
from search_ui.admin.submissions import Submissions
from search_ui.server import split_public_url


def admin_routes(services: OperatorServices, serving: ServerConfig, public_url: str) -> Iterator[BaseRoute]:
    """Lists the routes of the pages, none without the configuration of what they show."""
    if services.config is None:
        return
    access = AdminAccess(services.config.data_dir)
    port = serving.admin_address[1] if serving.admin_address else None
    context = PageContext(access, Gate(split_public_url(public_url)[1], serving.trusted_proxies, port))
    yield Route(LOGIN, AdminEndpoint(context, answer_login))
    yield Route(f"{ROOT}/logout", AdminEndpoint(context, answer_logout))
    for path, show, act in _pages(access, services.config):
        yield Route(path, AdminEndpoint(context, partial(answer_page, show, act)))


def _pages(
    access: AdminAccess, config: Config
) -> Iterator[tuple[str, Callable[[AdminRequest], Response], Act | None]]:
    yield ROOT, Overview(config), None
    hosts, failures, submissions = Hosts(config), Failures(config), Submissions(config)
    alarms = Alarms(config)
    yield f"{ROOT}/hosts", hosts, hosts.act
    yield f"{ROOT}/failed", failures, failures.act
    yield f"{ROOT}/submissions", submissions, submissions.act
    yield f"{ROOT}/alarms", alarms, alarms.act
    yield f"{ROOT}/lookup", Lookup(config), None
    yield f"{ROOT}/audit", partial(show_audit, access), None
