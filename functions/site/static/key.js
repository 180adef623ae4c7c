// Get a key, or bring one: the page then uses it, in memory only.

import { keepAnswer } from "./answers.js";
import { call, currentKey, demoKey, onKeyChange, useKey } from "./api.js";
import { refill } from "./copy.js";
import { byId, moveFocus, say, terms } from "./dom.js";
import { asNumber, asRenewal } from "./format.js";
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
  onQuota(() => {
    hide("");
    showUsage();
  });
}

/** What holds of the key in use, whatever was asked since. */
function aboutKey(ofDemoKey) {
  return currentKey() === demoKey ? ofDemoKey : text("key_mine");
}

let plan = null; // of the reader's own key: {key, name, limit}, where `null` is no limit

/** Plan and month of the reader's own key; numbers only while every call is known to have been followed. */
function showUsage() {
  const own = plan?.key === currentKey() ? plan : null;
  const quota = currentKey() === demoKey ? null : currentQuota();
  byId("key-usage").replaceChildren(terms([
    [text("plan"), own && own.name[0].toUpperCase() + own.name.slice(1)],
    [text("month_calls"), quota ? used(quota) : own && allowed(own.limit)],
    [text("month_left"), quota && asNumber(quota.remaining)],
    [text("month_renews"), quota?.resets ? asRenewal(quota.resets) : null],
  ]));
}

const used = ({ limit, remaining }) => text("month_used", { calls: asNumber(limit - remaining), limit: asNumber(limit) });

const allowed = (limit) => (limit === null ? text("month_unlimited") : text("month_limit", { limit: asNumber(limit) }));

/** Take the reader's own key, with what is known of its plan and month. */
function take(key, name, limit, quota) {
  plan = { key, name, limit };
  useKey(key);
  if (quota) tellQuota(quota);
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
      take(body.api_key, body.plano, body.limite_mensal);
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
      return { ok, body: ok ? body : { ...body, errors: [{ campo: "own", code: body.code, detail: body.detail }] } };
    },
    show({ body: { plano, limite: limit, restantes: remaining, reinicia_em: renews } }) {
      const apiKey = typed();
      answer.forget();
      form.reset();
      take(apiKey, plano, limit, limit === null ? null : { limit, remaining, resets: Date.parse(renews) });
    },
    hide,
  });
}
