"""The words of `registry.search.documents` in SQL, for millions of rows; tests compare the two.

They have letters, digits, ``_`` and blanks alone.
"""

from brskills_server.registry.search.documents import (
    BEGINNING,
    BRANCH,
    CITY,
    CITY_AND_STATUS,
    MAIN_ACTIVITY,
    NATURE,
    NO,
    OPENED,
    OPTIONS,
    OTHER_ACTIVITY,
    PARTNER,
    POSTAL_CODE,
    SIZE,
    STATE,
    STATE_AND_STATUS,
    STATUS,
    YES,
)
from brskills_server.registry.search.words import LONGEST

NAME_MACROS = rf"""
-- Letters without accents. What is left of a masked CPF, and any mark, separates words.
CREATE MACRO unaccented(x) AS CASE WHEN NOT regexp_matches(x, '[^ -~]') THEN x
  WHEN regexp_matches(x, '[^ -~À-ÖØ-öø-ÿ]') THEN x ELSE strip_accents(x) END;
CREATE MACRO separated(x) AS CASE WHEN NOT regexp_matches(x, '[^A-Z0-9 ]') THEN x ELSE trim(regexp_replace(
  CASE WHEN regexp_matches(x, '[*&]') THEN replace(regexp_replace(x, '\*+[0-9]+\*+', ' ', 'g'), '&', ' E ')
    ELSE x END, '[^A-Z0-9]+', ' ', 'g')) END;
CREATE MACRO with_beginning(word) AS CASE WHEN strlen(word) < {BEGINNING} THEN word
  WHEN word = 'LIMITADA' THEN 'LTDA_ LTDA' WHEN word = 'COMPANHIA' THEN 'CIA'
  ELSE concat(left(word, {BEGINNING}), '_ ', left(word, {LONGEST})) END;
CREATE MACRO words_of_letters(x) AS
  array_to_string(list_transform(string_split(separated(x), ' '), lambda word: with_beginning(word)), ' ');
-- Of a name `x`, its `letters` without accents, and the `words` of those: a list within CASE takes twice as
-- long. Python reads the few with other letters or "S/A".
CREATE MACRO words_of_name(x, letters, words) AS CASE
  WHEN regexp_matches(letters, '[^ -`{{-~]|S[./]A|S[^A-Z0-9]+A[^A-Z0-9]*$') THEN name_words(x) ELSE words END;
"""

NAMED = """SELECT *, words_of_letters(letters) AS words_of_letters
  FROM (SELECT *, unaccented({0}) AS letters FROM {1})"""
"""Rows of a table with a name, and what `words_of_name` needs beside it."""

_STATE = "CASE WHEN regexp_full_match(state, '[A-Z]{2}') THEN state ELSE '' END"


def _option(name: str) -> str:
    return f"if({name} = '{YES}', '{YES}', '{NO}')"


COMPANY_WORDS = f"""concat(words_of_name(e.name, letters, words_of_letters),
  ' {NATURE}', nature, ' {SIZE}', size,
  ' {OPTIONS}', {_option("simples")}, {_option("mei")}, partner_words)"""

PARTNER_WORDS = f"""CASE WHEN kind = '1'
  THEN CASE WHEN regexp_full_match(document, '[0-9A-Z]{{14}}') THEN ' {PARTNER}' || document ELSE '' END
  ELSE '' END"""

_DAY_WORDS = "concat({})".format(", ".join(f"' {OPENED}', opened[1:{length}]" for length in (3, 4, 6, 8)))
ESTABLISHMENT_WORDS = f"""concat('{STATUS}', status, ' {STATE}', {_STATE},
  ' {STATE_AND_STATUS}', {_STATE}, status, ' {CITY}', city, ' {CITY_AND_STATUS}', city, status,
  CASE WHEN opened = '' THEN ' {OPENED}' ELSE {_DAY_WORDS} END, ' {MAIN_ACTIVITY}', activity,
  CASE kind WHEN '1' THEN '' WHEN '2' THEN ' {BRANCH}2' ELSE ' {BRANCH}' END,
  CASE WHEN other_activities <> '' THEN
    ' {OTHER_ACTIVITY}' || replace(other_activities, ',', ' {OTHER_ACTIVITY}') ELSE '' END,
  CASE WHEN postal_code <> '' THEN ' {POSTAL_CODE}' || postal_code ELSE '' END,
  CASE WHEN trade_name <> '' THEN ' ' || words_of_name(trade_name, letters, words_of_letters) ELSE '' END)"""

INDEXED_WORDS = NAME_MACROS, NAMED, COMPANY_WORDS, PARTNER_WORDS, ESTABLISHMENT_WORDS
"""All of them: a build that wrote others is not resumed."""
