// Get a key, or bring one: the page then uses it, in memory only.

import { keepAnswer } from "./answers.js";
import { call, currentKey, demoKey, onKeyChange, useKey } from "./api.js";
import { refill } from "./copy.js";
import { byId, moveFocus, say } from "./dom.js";
import { contentOf, trimmed } from "./form.js";
import { currentQuota, onQuota, tellQuota } from "./quota.js";
import { text } from "./texts.js";

export function keyBox() {
  const said = byId("key-said");
  const ofDemoKey = said.textContent;
  const hide = (words) => say(said, words || aboutKey(ofDemoKey));
  if (byId("key-form")) create(byId("key-form"), said, hide); // the operator alone may give keys
  bring(byId("own-form"), hide);
  onKeyChange(() => refill(byId("key-shown"), currentKey()));
  onQuota(() => hide(""));
}

/** What holds of the key in use, whatever was asked since. */
function aboutKey(ofDemoKey) {
  const quota = currentQuota();
  if (currentKey() === demoKey) return ofDemoKey;
  return quota ? text("key_used", { calls: quota.limit - quota.remaining, limit: quota.limit }) : text("key_mine");
}

function create(form, said, hide) {
  const { email } = form.elements;
  const answer = keepAnswer(form, {
    input: () => contentOf(form),
    async ask(body) {
      // A key is shown once, so it cannot be dropped because the form has changed: the form waits.
      email.readOnly = true;
      const issued = await call("POST", "keys", { body, apiKey: null });
      email.readOnly = false;
      return issued;
    },
    show({ body }) {
      answer.forget();
      useKey(body.api_key);
      say(said, text("key_ready"));
      if (moveFocus(form, byId("key-shown"))) byId("key-shown").select();
    },
    hide,
  });
}

function bring(form, hide) {
  const typed = () => trimmed(form.elements.own.value);
  const answer = keepAnswer(form, {
    // With the key in use: one that was issued meanwhile is shown nowhere else, and must not be put away.
    input: () => [typed(), currentKey()],
    async ask([apiKey], { signal }) {
      const { ok, body } = await call("GET", "usage", { apiKey, signal });
      return { ok, body: ok ? body : { ...body, errors: [{ campo: "own", detail: body.detail }] } };
    },
    show({ body: { limite: limit, restantes: remaining } }) {
      const apiKey = typed();
      answer.forget();
      form.reset();
      useKey(apiKey);
      tellQuota(limit === null ? null : { limit, remaining });
    },
    hide,
  });
}
