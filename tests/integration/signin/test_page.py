"""Attacks on the page: consent by another site, frames, markup in what a client says of itself."""

import httpx
import pytest

from tests.services.sign_in import Fields

MARKUP = "<script>alert(1)</script>\"'&{{token}}{{new_key}}\u202e\u200bexe.\x00"


def allows(answer: httpx.Response) -> bool:
    return answer.status_code == 303 and "code=" in answer.headers["location"]


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site", "Origin": "{base}"}, {"Origin": "https://mau.example"}]
)
def test_an_answer_from_another_page_is_not_taken(program, key, headers) -> None:
    sent = {name: value.format(base=program.base) for name, value in headers.items()}
    for said in ("allow", "refuse", "new_key"):
        answer = program.answer(program.page(), sent, key=key, answer=said)
        assert (answer.status_code, "location" in answer.headers) == (403, False)


def test_without_the_browsers_own_secret_no_answer_is_taken(program, new_program, key) -> None:
    page = program.page()
    stranger = new_program()
    assert stranger.answer(page, key=key, answer="allow").status_code == 403
    stranger.page()  # has a secret now, but not the one that the form was made with
    assert stranger.answer(page, key=key, answer="allow").status_code == 403
    for token in ("", "0" * 64, "é"):
        assert program.answer(page, key=key, answer="allow", token=token).status_code == 403
    assert allows(program.answer(page, key=key, answer="allow"))


def test_a_form_answers_the_request_it_was_shown_with_and_no_other(program, key) -> None:
    token = Fields(program.page(scope="pix").text).values["token"]
    wider = program.page(scope="pix cnpj")
    assert program.answer(wider, key=key, answer="allow", token=token).status_code == 403


def test_two_tabs_do_not_spoil_each_other(program, key) -> None:
    first, second = program.page(state="1"), program.page(state="2")
    assert allows(program.answer(first, key=key, answer="allow"))
    assert allows(program.answer(second, key=key, answer="allow"))


def test_nobody_frames_caches_or_reads_the_page(program, key) -> None:
    pages = [program.page(), program.page(response_type="token"), program.page(client_id="none")]
    pages += [
        program.answer(pages[0], key="none", answer="allow"),
        program.answer(pages[0], answer="new_key"),
    ]
    for page in pages:
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "same-origin"
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        loading = [found for found in Fields(page.text).tags if {"src", "action", "onclick"} & set(found[1])]
        assert loading == []
        assert not {"script", "img", "link", "iframe", "base"} & {tag for tag, _ in Fields(page.text).tags}


def test_what_a_client_says_of_itself_is_text(new_program) -> None:
    program = new_program(client_name=MARKUP)
    page = program.page()
    assert "<script" not in page.text
    shown = Fields(page.text).text
    assert "<script>alert(1)</script>\"'&{{token}}{{new_key}} exe." in shown
    assert "\u202e" not in page.text
    assert "não o verificamos" in shown


def test_a_key_in_the_address_is_not_read(program, key) -> None:
    page = program.page(key=key, answer="allow", token="a")
    assert key not in page.text
    assert not allows(program.answer(page, answer="allow"))


def test_an_answer_without_a_word_allows_nothing(program, key) -> None:
    for said in ({}, {"answer": "yes"}):
        answer = program.answer(program.page(), key=key, **said)
        assert not allows(answer)
        assert "error=access_denied" in answer.headers["location"]


def test_nobody_puts_words_of_their_own_on_an_error_page(program) -> None:
    words = "https://ligue-para-0800.example/"
    for changes in (
        {"redirect_uri": words},
        {"response_type": words},
        {"client_id": words},
        {"resource": words},
        {"code_challenge_method": words},
        {"scope": words},
    ):
        page = program.page(**changes)
        assert page.status_code == 400
        shown = Fields(page.text)
        assert "0800" not in shown.text
