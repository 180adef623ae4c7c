// A card in its host: what it shows, and in which language and theme.

import { connect } from "./protocol.js";

/**
 * Show the card `name`. `texts`: the page's texts by language ("pt", "en"). `load`: evaluates the card's scripts,
 * which have one language from their start, and returns `{show}`.
 */
export function start(name, texts, load) {
  const root = document.documentElement;
  let state = { is: "waiting" };
  let language = null;
  let card;

  function speak(locale) {
    const chosen = /^pt\b/i.test(locale) ? "pt" : "en";
    if (chosen === language) return;
    language = chosen;
    document.getElementById("texts").textContent = JSON.stringify(texts[chosen]);
    root.lang = texts[chosen].language;
    card = load();
    card.show(state);
  }

  function become(next) {
    state = next;
    card.show(state);
  }

  speak(navigator.language);
  connect(name, {
    context({ locale, theme }) {
      if (theme) root.dataset.theme = theme;
      if (locale) speak(locale);
    },
    result: (result) => become({ is: "answered", result }),
    cancelled: (reason) => become({ is: "cancelled", reason }),
  });
}
