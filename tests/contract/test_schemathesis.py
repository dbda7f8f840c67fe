"""Whatever is sent, the service answers as the contract says.

Schemathesis makes requests from the committed contract, right and wrong ones, and checks that no
reply is a 5xx, that status, media type, headers and body are documented, that wrong requests
(unknown fields too) are refused, and that what needs a token is refused without one.
"""

import pytest
import schemathesis
from hypothesis import settings

from service.api.errors import STATUSES
from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade
from tests.conftest import UNLIMITED, Clock
from tests.contract.leading import lead
from tests.contract.replies import CONTRACT, operations, snake_case

EXAMPLES, MANY_EXAMPLES = 60, 1_000
REFUSALS = sorted(status for status in set(STATUSES.values()) if status < 500)


class Door:
    """A WSGI application that is the one which the tests have made."""

    app = None

    def __call__(self, environ, start_response):
        return self.app(environ, start_response)


schema = schemathesis.openapi.from_dict(
    CONTRACT,
    config=schemathesis.Config.from_dict(
        {
            "seed": 1,
            "generation": {"deterministic": True, "database": "none"},
            "checks": {
                # What fits the schema may still be no legal move, position or set of options.
                "positive_data_acceptance": {"enabled": False},
                "negative_data_rejection": {"expected-statuses": REFUSALS},
            },
        }
    ),
)
schema.app = Door()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    config = Config(data=tmp_path_factory.mktemp("schemathesis"), **UNLIMITED)
    app = create_app(config, Clock())
    upgrade(app.extensions["semilla"].db)
    schema.app.app = app
    yield app.test_client()
    app.extensions["semilla"].db.dispose()


def requests_of(operation_id, examples):
    """Make the test of one operation, with so many generated examples."""

    @schema.include(operation_id=operation_id).parametrize()
    @settings(max_examples=examples)
    def answers_as_documented(case, client):
        lead(case, client)
        case.call_and_validate()

    return answers_as_documented


# A test for each: those that `parametrize` makes of a whole schema all have one node id, and of
# such tests pytest-xdist runs only one.
for _, _, _operation in operations():
    _name, _id = snake_case(_operation["operationId"]), _operation["operationId"]
    globals()[f"test_{_name}_answers_as_documented"] = requests_of(_id, EXAMPLES)
    globals()[f"test_{_name}_answers_very_many_requests_as_documented"] = pytest.mark.slow(
        requests_of(_id, MANY_EXAMPLES)
    )
