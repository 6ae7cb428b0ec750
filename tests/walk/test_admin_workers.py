"""Sessions and failed logins hold over all workers of `scrapy serve --workers`."""

import http.client
from pathlib import Path
from urllib.parse import urlencode

import pytest

from engine.admin import save_password
from engine.admin.attempts import FREE_ATTEMPTS
from tests.search_ui.admin.conftest import PASSWORD
from tests.workers import serving_by

WORKERS = 2


def log_in(connection: http.client.HTTPConnection, password: str) -> tuple[int, str]:
    """Logs in; the status, and the cookie."""
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection.request("POST", "/admin/login", urlencode({"password": password}), form)
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.headers.get("Set-Cookie", "").partition(";")[0]


def get(connection: http.client.HTTPConnection, cookie: str) -> int:
    connection.request("GET", "/admin/audit", headers={"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    return answer.status


@pytest.mark.slow
def test_a_session_of_one_is_a_session_of_all(tmp_path: Path) -> None:
    save_password(tmp_path, PASSWORD, 0, "")
    with serving_by(tmp_path, WORKERS) as workers, workers.one_each() as (one, other):
        status, cookie = log_in(one, PASSWORD)
        assert (status, get(one, cookie), get(other, cookie)) == (303, 200, 200)
        save_password(tmp_path, f"{PASSWORD} anew", 0, "")
        assert (get(one, cookie), get(other, cookie)) == (303, 303)


@pytest.mark.slow
def test_failed_logins_count_together(tmp_path: Path) -> None:
    save_password(tmp_path, PASSWORD, 0, "")
    with serving_by(tmp_path, WORKERS) as workers, workers.one_each() as connections:
        statuses = [log_in(connections[number % WORKERS], "x")[0] for number in range(FREE_ATTEMPTS)]
        assert statuses == [401] * FREE_ATTEMPTS
        assert [log_in(connection, PASSWORD)[0] for connection in connections] == [429] * WORKERS
