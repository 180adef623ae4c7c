// What all cards share: waiting, cancelled, failed, answered.

import { word } from "./card-texts.js";
import { enableCopying } from "./copy.js";
import { byId, element, say } from "./dom.js";
import { text } from "./texts.js";

/** A function that shows a state. `draw(answer, result)` returns `{said, content}` for a tool's answer. */
export const cardOf = (draw) => (state) => {
  const { said, content } = drawn(state, draw);
  const card = byId("card");
  card.setAttribute("aria-busy", String(state.is === "waiting"));
  card.replaceChildren(...content);
  enableCopying(card);
  say(byId("said"), said);
};

function drawn({ is, result, reason }, draw) {
  if (is === "waiting") return messageOf(text("working"));
  if (is === "cancelled") return messageOf(word("cancelled"), asText(reason));
  const answer = answerOf(result);
  if (result.isError) return problemOf(answer, result);
  if (!answer) return messageOf(word("unreadable"));
  try {
    return draw(answer, result);
  } catch {
    return messageOf(word("unreadable"));
  }
}

/** The answer as data; some hosts pass on its text alone. */
function answerOf({ structuredContent, content }) {
  try {
    return JSON.parse(structuredContent ? JSON.stringify(structuredContent) : textOf(content), readable);
  } catch {
    return null;
  }
}

// Characters that turn the direction of writing could move one party's words into another's; a code is not for reading.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const readable = (name, value) => (
  typeof value === "string" && name !== "brcode" ? value.replace(TURNING, "\ufffd") : value
);

const textOf = (content) => content?.find(({ type }) => type === "text")?.text ?? "";

function messageOf(title, detail) {
  return { said: [title, detail].filter(Boolean).join(" "), content: [heading(title), ...paragraphs(detail)] };
}

/** The problem of a tool, or its text where there is none. */
function problemOf(problem, { content }) {
  const issues = (problem?.errors ?? []).map(({ campo, detail }) => (
    element("li", {}, element("code", {}, asText(campo)), ` ${asText(detail)}`)
  ));
  const title = problem?.title ?? word("failed");
  const detail = asText(problem?.detail ?? textOf(content));
  return {
    said: `${title} ${detail}`,
    content: [
      element("div", { class: "finding" }, heading(title), ...paragraphs(detail), element("ul", {}, ...issues)),
      ...(problem?.code ? [element("p", { class: "hint" }, element("code", {}, asText(problem.code)))] : []),
    ],
  };
}

export const heading = (title) => element("h1", {}, title);

const paragraphs = (words) => (words ? [element("p", {}, words)] : []);

const asText = (value) => (value === null || value === undefined ? "" : String(value));
