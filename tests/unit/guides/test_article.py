"""A guide as a page has it: what the documents use, and nothing that a strict policy would refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from guides import article
from guides.article import Article, Unfit, article_of


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def read_(text: str) -> Article:
        (tmp_path / "probe.md").write_text(text, "utf-8")
        return article_of("probe", {"probe", "keys"})

    monkeypatch.setattr(article, "DOCS", tmp_path)
    return read_


def test_headings_have_githubs_ids_and_those_of_the_second_level_are_the_contents(read) -> None:
    made = read("# A\n## What's `x_y`, and Não?\n### More\n## Twice\n## Twice\n## a -- B\n")
    assert made["sections"] == [
        ("whats-x_y-and-não", "What&#x27;s x_y, and Não?"),
        ("twice", "Twice"),
        ("twice-1", "Twice"),
        ("a----b", "a -- B"),
    ]
    assert '<h2 id="whats-x_y-and-não">' in made["article"]
    assert '<h3 id="more">More</h3>' in made["article"]


def test_a_table_scrolls_by_itself_and_its_cells_are_aligned_by_class(read) -> None:
    made = read("## Costs <b\n\n| What | |\n|---|---:|\n| a | 1 |\n| | 2 |\n")
    assert made["article"].split("</h2>\n")[1].replace("\n", "") == (
        '<div class="scroll" tabindex="0" role="group" aria-label="Costs &lt;b"><table>'
        '<thead><tr><th>What</th><td class="right"></td></tr></thead>'
        '<tbody><tr><td>a</td><td class="right">1</td></tr><tr><td></td><td class="right">2</td></tr></tbody>'
        "</table></div>"
    )


@pytest.mark.parametrize("text", ["```sh\ncurl '<x>' && y\n```\n", "    curl '<x>' && y\n"])
def test_code_is_text_in_a_box_that_the_keyboard_reaches(read, text: str) -> None:
    made = read(f"# Calls\n\n{text}")
    assert made["article"].split("</h1>\n")[1] == (
        '<pre tabindex="0" role="group" aria-label="Calls">'
        "<code>curl '&lt;x&gt;' &amp;&amp; y\n</code></pre>\n"
    )


def test_remarks_are_left_out_and_named_places_stay(read) -> None:
    made = read('# A\n\n<!-- speed -->\n\n<a id="closed"></a>**Closed.** No <!-- x --> more.\n')
    assert made["article"].split("</h1>\n")[1] == (
        '<p><a id="closed"></a><strong>Closed.</strong> No  more.</p>\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>x</script>\n",
        'a <a id="x" onclick="y">b</a>\n',
        "<!-- a --><p style='color: red'>b</p>\n",
        "![a picture](https://elsewhere.example/x.png)\n",
        "[nowhere](no-such-file.md)\n",
        "[outside](../../etc/passwd)\n",
        "{{query}}\n",
    ],
)
def test_what_a_page_cannot_have_ends_the_making_and_names_the_file(read, text: str) -> None:
    with pytest.raises(Unfit, match=r"^probe\.md: "):
        read(text)
