"""The routes of watched companies and webhooks: /api/v1/watches, /api/v1/changes and /api/v1/webhooks."""

from brskills_server.runtime.services import open_services
from brskills_server.skills.watches.list_changes import LIST_CHANGES
from brskills_server.skills.watches.list_watches import LIST_WATCHES
from brskills_server.skills.watches.read_watch import READ_WATCH
from brskills_server.skills.watches.simulate_change import SIMULATE_CHANGE
from brskills_server.skills.watches.unwatch_company import UNWATCH_COMPANY
from brskills_server.skills.watches.watch_companies import WATCH_COMPANIES
from brskills_server.skills.webhooks.change_webhook import CHANGE_WEBHOOK
from brskills_server.skills.webhooks.create_webhook import CREATE_WEBHOOK
from brskills_server.skills.webhooks.delete_webhook import DELETE_WEBHOOK
from brskills_server.skills.webhooks.list_deliveries import LIST_DELIVERIES
from brskills_server.skills.webhooks.list_webhooks import LIST_WEBHOOKS
from brskills_server.skills.webhooks.read_webhook import READ_WEBHOOK
from brskills_server.skills.webhooks.rotate_webhook import ROTATE_WEBHOOK
from brskills_server.skills.webhooks.send_test_event import SEND_TEST_EVENT
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
skills = (
    *(WATCH_COMPANIES, LIST_WATCHES, READ_WATCH, UNWATCH_COMPANY, SIMULATE_CHANGE, LIST_CHANGES),
    *(CREATE_WEBHOOK, LIST_WEBHOOKS, READ_WEBHOOK, CHANGE_WEBHOOK, DELETE_WEBHOOK),
    *(SEND_TEST_EVENT, ROTATE_WEBHOOK, LIST_DELIVERIES),
)
sessions = Sessions(services, watches=services.watches, webhooks=services.webhooks)
handler = Application(
    "watches",
    skill_routes(sessions, *skills),
    support_contact=services.settings.support_contact,
)
