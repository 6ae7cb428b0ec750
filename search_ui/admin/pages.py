"""Lists the operator's pages."""

from collections.abc import Callable, Iterator
from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.admin import AdminAccess, OperatorServices
from engine.config import Config, ServerConfig
from search_ui.admin.alarms import AlarmsPage
from search_ui.admin.audit import show_audit
from search_ui.admin.complaints import ComplaintsPage
from search_ui.admin.failures import FailuresPage
from search_ui.admin.gate import Gate
from search_ui.admin.generations import GenerationsPage
from search_ui.admin.hosts import HostsPage
from search_ui.admin.login import answer_login, answer_logout
from search_ui.admin.lookup import LookupPage
from search_ui.admin.operator_files import FILES, OperatorFilePage
from search_ui.admin.overview import OverviewPage
from search_ui.admin.page import LOGIN, Act, AdminEndpoint, PageContext, answer_page
from search_ui.admin.quarantine import QuarantinePage
from search_ui.admin.queries import QueriesPage
from search_ui.admin.removals import RemovalsPage
from search_ui.admin.request import ROOT, AdminRequest
from search_ui.admin.submissions import SubmissionsPage
from search_ui.admin.suspects import SuspectsPage
from search_ui.admin.tokens import TokensPage
from search_ui.server import split_public_url


def admin_routes(services: OperatorServices, serving: ServerConfig, public_url: str) -> Iterator[BaseRoute]:
    """Lists the routes of the pages, none without the configuration of what they show."""
    if services.config is None:
        return
    access = AdminAccess(services.config.database)
    port = serving.admin_address[1] if serving.admin_address else None
    context = PageContext(access, Gate(split_public_url(public_url)[1], serving.trusted_proxies, port))
    yield Route(LOGIN, AdminEndpoint(context, answer_login))
    yield Route(f"{ROOT}/logout", AdminEndpoint(context, answer_logout))
    for path, show, act in _pages(access, services.config):
        yield Route(path, AdminEndpoint(context, partial(answer_page, show, act)))


def _pages(
    access: AdminAccess, config: Config
) -> Iterator[tuple[str, Callable[[AdminRequest], Response], Act | None]]:
    yield ROOT, OverviewPage(config), None
    hosts, failures, submissions = HostsPage(config), FailuresPage(config), SubmissionsPage(config)
    suspects, removals, quarantine = SuspectsPage(config), RemovalsPage(config), QuarantinePage(config)
    index, alarms = GenerationsPage(config), AlarmsPage(config)
    yield f"{ROOT}/hosts", hosts, hosts.act
    yield f"{ROOT}/failed", failures, failures.act
    yield f"{ROOT}/submissions", submissions, submissions.act
    yield f"{ROOT}/suspects", suspects, suspects.act
    yield f"{ROOT}/removals", removals, removals.act
    complaints = ComplaintsPage(config)
    yield f"{ROOT}/complaints", complaints, complaints.act
    yield f"{ROOT}/quarantine", quarantine, quarantine.act
    yield f"{ROOT}/index", index, index.act
    yield f"{ROOT}/queries", QueriesPage(config), None
    for name, kind in FILES.items():
        page = OperatorFilePage(config, kind)
        yield f"{ROOT}/{name}", page, page.act
    tokens = TokensPage(config)
    yield f"{ROOT}/tokens", tokens, tokens.act
    yield f"{ROOT}/alarms", alarms, alarms.act
    yield f"{ROOT}/lookup", LookupPage(config), None
    yield f"{ROOT}/audit", partial(show_audit, access), None
