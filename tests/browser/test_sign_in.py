"""The page of the sign-in in a browser: without a script, by keyboard, for everybody, in no other page."""

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.callback import Callback, callback
from tests.browser.test_access import serious_issues
from tests.services.sign_in import challenge_of, parameters_of
from tests.services.site import answer_of, site

VERIFIER = "v" * 43

OpenConsent = Callable[..., Page]


@pytest.fixture(scope="module")
def program() -> Iterator[Callback]:
    with callback() as found:
        yield found


@pytest.fixture
def address(base: str, program: Callback) -> str:
    """The page's, for a program that is registered."""
    program.asked.clear()
    said = {"client_name": "Assistente", "redirect_uris": [program.address()]}
    client = httpx.post(f"{base}oauth/register", json=said).json()
    asked = {
        "response_type": "code",
        "client_id": client["client_id"],
        "redirect_uri": program.address(),
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
        "state": "s",
    }
    return f"{base}oauth/authorize?{urlencode(asked)}"


@pytest.fixture
def key(base: str) -> str:
    found: str = httpx.post(f"{base}api/v1/keys").json()["api_key"]
    return found


@pytest.fixture
def open_consent(browser: Browser, address: str) -> Iterator[OpenConsent]:
    """The page in a new profile, without scripts unless a test needs some; no complaint may be made of it."""
    contexts, issues = [], []

    def open_(response_type: str = "code", **options: object) -> Page:
        context = browser.new_context(**{"java_script_enabled": False, "locale": "pt-BR", **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: issues.append(message.text) if message.type == "error" else None)
        page.goto(address.replace("response_type=code", f"response_type={response_type}"))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [issue for issue in issues if "status of 4" not in issue] == []


def code_of(program: Callback, page: Page) -> str:
    page.wait_for_url("**/cb?*")
    (path,) = program.codes()
    parameters = parameters_of(path)
    assert parameters["state"] == "s"
    return parameters["code"]


def test_the_keyboard_alone_allows(open_consent, program, key, base, address) -> None:
    page = open_consent()
    expect(page.get_by_role("heading")).to_have_text("Permitir que este programa use o brskills em seu nome?")
    page.keyboard.press("Tab")
    page.keyboard.type(key)
    page.keyboard.press("Enter")
    form = {
        "grant_type": "authorization_code",
        "client_id": parameters_of(address)["client_id"],
        "code": code_of(program, page),
        "code_verifier": VERIFIER,
    }
    assert httpx.post(f"{base}oauth/token", data=form).status_code == 200


PHONE = {"width": 390, "height": 844}


def is_on_first_screen(found: Locator) -> bool:
    """Whether all of it is seen without scrolling."""
    box = found.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [("brsk_nothing", "não existe ou foi revogada"), ("529.982.247-25", "não parece uma chave do brskills")],
)
def test_on_a_phone_an_issue_is_seen_at_once_and_leads_to_the_field(open_consent, typed, words) -> None:
    page = open_consent(viewport=PHONE)
    page.get_by_label("Sua chave de acesso").fill(typed)
    page.keyboard.press("Enter")
    expect(page).to_have_title("Erro: acesso ainda não permitido · brskills")
    issue = page.get_by_role("alert")
    expect(issue).to_contain_text(words)
    assert is_on_first_screen(issue)
    expect(issue.get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Sua chave de acesso")).to_be_focused()


def test_a_program_may_send_people_on_to_its_site(open_consent, program, key, tmp_path) -> None:
    """Chromium holds every step behind a form against the page's policy."""
    with site(tmp_path, "localhost") as thanks:
        body = b"<!doctype html><p>thanks</p>"
        thanks.answers["/thanks"] = lambda: answer_of(body, "Content-Type: text/html")
        program.moved["/cb"] = f"https://localhost:{thanks.port}/thanks"
        try:
            page = open_consent(ignore_https_errors=True)
            page.get_by_label("Sua chave de acesso").fill(key)
            page.keyboard.press("Enter")
            page.wait_for_url("**/thanks")
            page.close()  # while the site is there, which it asks for an icon
        finally:
            program.moved.clear()
    assert len(program.codes()) == 1


@pytest.mark.parametrize(("scheme", "locale"), [("dark", "pt-BR"), ("light", "en-US")])
def test_axe_finds_no_serious_issue(open_consent, scheme, locale) -> None:
    options = {"java_script_enabled": True, "color_scheme": scheme, "locale": locale}
    page = open_consent(**options)
    assert serious_issues(page) == []
    page.get_by_role("textbox").fill("brsk_nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert serious_issues(page) == []
    page.locator("[value=new_key]").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert serious_issues(page) == []
    page = open_consent("token", **options)
    assert serious_issues(page) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_screen(open_consent, width) -> None:
    page = open_consent(java_script_enabled=True, viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("[value=new_key]").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = page.get_by_label("Sua chave nova")
    assert shown.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert shown.evaluate("box => box.scrollHeight - box.clientHeight") == 0


def test_another_page_can_neither_show_it_nor_answer_it(browser, program, address, key) -> None:
    program.pages["/frame"] = f'<!doctype html><iframe src="{address.replace("&", "&amp;")}"></iframe>'
    fields = (
        f'<input name="token" value="a"><input name="answer" value="allow"><input name="key" value="{key}">'
    )
    action = address.replace("&", "&amp;")
    program.pages["/form"] = (
        f'<!doctype html><form method="post" action="{action}">{fields}<button>win</button></form>'
    )
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address)  # so that the browser has its secret
        page.goto(program.address().replace("/cb", "/frame"))
        assert "Permitir" not in page.frames[-1].content()
        page.goto(program.address("localhost").replace("/cb", "/form"))
        with page.expect_navigation() as answered:
            page.click("button")
        assert answered.value.status == 403
    assert program.codes() == []


def test_a_program_that_opens_it_in_another_window_keeps_that_window(open_consent, program, address) -> None:
    """Programs in a browser wait there for a message from the page that the redirect opens."""
    page = open_consent(java_script_enabled=True)
    page.goto(program.address().replace("/cb", "/"))
    with page.expect_popup() as opened:
        page.evaluate("address => { window.signIn = open(address) }", address)
    window = opened.value
    window.get_by_role("button", name="Não permitir").click()
    window.wait_for_url("**/cb?*")
    assert window.evaluate("opener !== null")
    assert page.evaluate("!signIn.closed")


@pytest.mark.parametrize("locale", ["pt-BR", "en-US"])
def test_a_link_opens_the_list_on_which_access_is_ended(open_consent, locale) -> None:
    page = open_consent(java_script_enabled=True, locale=locale)
    with page.expect_popup() as opened:
        page.get_by_role("link").click()
    shown = opened.value
    expect(shown.locator("#grants-message")).to_be_visible()
    expect(shown.locator("html")).to_have_attribute("lang", "en" if locale == "en-US" else "pt-BR")
    assert shown.evaluate("document.referrer") == ""
