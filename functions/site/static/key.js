// Create a key or enter one; the page keeps it in memory only.

import { keepAnswer } from "./answers.js";
import { call, currentKey, demoKey, onKeyChange, useKey } from "./api.js";
import { refill } from "./copy.js";
import { byId, moveFocus, say, terms } from "./dom.js";
import { asNumber, asRenewal } from "./format.js";
import { contentOf, trimmed } from "./form.js";
import { currentQuota, onQuota, setQuota } from "./quota.js";
import { text } from "./texts.js";

export function keyBox() {
  const message = byId("key-message");
  const demoKeyText = message.textContent;
  const hide = (words) => {
    delete message.dataset.kind;
    say(message, words || keyText(demoKeyText));
  };
  if (byId("key-form")) create(byId("key-form"), message, hide); // missing where sign-up is disabled
  enter(byId("own-form"), hide);
  onKeyChange(() => refill(byId("key-shown"), currentKey()));
  onQuota(() => {
    hide("");
    showUsage();
  });
}

/** The text on the key in use. */
function keyText(demoKeyText) {
  return currentKey() === demoKey ? demoKeyText : text("key_mine");
}

let plan = null; // of the visitor's own key: {key, name, limit}; `null` is no limit

/** Plan and quota of the visitor's key; numbers only if current. */
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

/** Use the visitor's own key with its plan and quota. */
function take(key, name, limit, quota) {
  plan = { key, name, limit };
  useKey(key);
  if (quota) setQuota(quota);
}

function create(form, message, hide) {
  const { email } = form.elements;
  const answer = keepAnswer(form, {
    input: () => contentOf(form),
    async ask(body) {
      // A key is shown once: the form stays unchanged until it arrives.
      email.readOnly = true;
      const issued = await call("POST", "keys", { body, apiKey: null });
      email.readOnly = false;
      return issued;
    },
    show({ body }) {
      answer.forget();
      take(body.api_key, body.plano, body.limite_mensal);
      message.dataset.kind = "good";
      say(message, text("key_ready"));
      if (moveFocus(form, byId("key-shown"))) byId("key-shown").select();
    },
    hide,
  });
}

function enter(form, hide) {
  const typed = () => trimmed(form.elements.own.value);
  const answer = keepAnswer(form, {
    // With the key in use: a key that was created meanwhile must not be replaced.
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
