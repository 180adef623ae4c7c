"""A guide's template: what documents use, and nothing that a strict policy would refuse."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from guides import article
from guides.article import ROOT, Unfit, address_of

PAGES = {
    article.FOLDER / f"{language}/{name}.md": name for language in ("pt", "en") for name in ("keys", "errors")
}
PAGES |= {ROOT / "docs/reference/errors.md": "reference/errors", ROOT / "examples/README.md": "examples"}
DOCUMENT = article.FOLDER / "en/start.md"


@pytest.fixture
def made(tmp_path: Path):
    """What makes a template of a text: its sections, and the HTML below the title."""

    def make(text: str) -> tuple[str, str]:
        (tmp_path / "probe.md").write_text(f"{text}\n\nThe end.\n", "utf-8")
        template = article.read_guide(tmp_path / "probe.md", {}).template
        sections = re.search(r"{% set sections = (.*) %}", template)[1]
        html = template.partition("{% block article %}\n")[2].removesuffix(
            "<p>The end.</p>\n{% endblock %}\n"
        )
        return sections, html

    return make


def test_headings_have_githubs_ids_and_those_of_the_second_level_are_the_contents(made) -> None:
    sections, html = made("# A\n## What's `x_y`, and Não?\n### More\n## Twice\n## Twice\n## a -- B\n")
    assert sections == (
        '[["whats-x_y-and-não", "What\'s x_y, and Não?"], ["twice", "Twice"], '
        '["twice-1", "Twice"], ["a----b", "a -- B"]]'
    )
    assert '<h2 id="whats-x_y-and-não">' in html
    assert '<h3 id="more">More</h3>' in html


def test_a_table_scrolls_by_itself_and_its_cells_are_aligned_by_class(made) -> None:
    _, html = made("## Costs <b\n\n| What | |\n|---|---:|\n| a | 1 |\n| | 2 |\n")
    assert html.split("</h2>\n")[1].replace("\n", "") == (
        '<div class="scroll" tabindex="0" role="group" aria-label="Costs &lt;b"><table>'
        '<thead><tr><th>What</th><td class="right"></td></tr></thead>'
        '<tbody><tr><td>a</td><td class="right">1</td></tr><tr><td></td><td class="right">2</td></tr></tbody>'
        "</table></div>"
    )


@pytest.mark.parametrize(
    ("text", "language"), [("```sh\ncurl '<x>' && y\n```\n", "sh"), ("    curl '<x>' && y\n", "")]
)
def test_code_is_text_in_a_box_that_the_keyboard_reaches(made, text: str, language: str) -> None:
    _, html = made(f"# Calls\n\n{text}")
    assert html.split("</h1>\n")[1] == (
        f'<pre data-language="{language}" tabindex="0" role="group" aria-label="Calls">'
        "<code>curl '&lt;x&gt;' &amp;&amp; y\n</code></pre>\n"
    )


def test_comments_are_left_out_and_named_places_stay(made) -> None:
    _, html = made('# A\n\n<!-- speed -->\n\n<a id="closed"></a>**Closed.** No <!-- x --> more.\n')
    assert html.split("</h1>\n")[1] == '<p><a id="closed"></a><strong>Closed.</strong> No  more.</p>\n'


@pytest.mark.parametrize(
    "text",
    [
        "<script>x</script>\n",
        'a <a id="x" onclick="y">b</a>\n',
        "<!-- a --><p style='color: red'>b</p>\n",
        "[nowhere](no-such-file.md)\n",
        "[outside](../../etc/passwd)\n",
    ],
)
def test_what_a_page_cannot_have_is_an_error_that_names_the_file(made, text: str) -> None:
    with pytest.raises(Unfit, match=r"^probe\.md: "):
        made(text)


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("keys.md", "keys"),
        ("keys.md#closed", "keys#closed"),
        ("../en/errors.md", "errors"),
        ("#closed", "#closed"),
        ("https://a.example/keys.md", "https://a.example/keys.md"),
        ("../../reference/errors.md#fields", "reference/errors#fields"),
        ("../../../README.md", None),
        ("../../../examples", "examples"),
        ("../../../cards", None),
    ],
)
def test_guides_lead_to_pages_alone(link: str, address: str | None) -> None:
    assert address_of(link, DOCUMENT, PAGES) == address


def test_a_document_leads_out_of_its_folder() -> None:
    assert (
        address_of("../guides/en/keys.md#closed", ROOT / "docs/reference/errors.md", PAGES)
        == "../keys#closed"
    )


def test_what_the_template_would_read_is_shown_as_written_and_a_picture_as_its_description(made) -> None:
    _, html = made("# A\n\n{{query}} `{% include %}` {# a #} ![a picture](x.png)\n")
    shown = Environment(autoescape=True).from_string(html.split("</h1>\n")[1]).render()
    assert shown == "<p>{{query}} <code>{% include %}</code> {# a #} a picture</p>"


@pytest.mark.parametrize("link", ["nowhere.md", "../../../../", "javascript:alert(1)", "keys"])
def test_a_link_that_leads_nowhere_is_refused(link: str) -> None:
    with pytest.raises(Unfit, match="leads nowhere"):
        address_of(link, DOCUMENT, PAGES)
