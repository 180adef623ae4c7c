// Show problems: each issue at its field, and a summary with links.

import { element, moveFocus } from "./dom.js";
import { text, textOrNone } from "./texts.js";

/** Show a problem at its fields and in the form's summary, which may get the focus. */
export function showProblem(form, problem, { focus }) {
  clearProblem(form);
  const issues = problem.errors ?? [];
  for (const issue of issues) showIssue(form, issue);
  const summary = form.querySelector(".summary");
  summary.replaceChildren(
    element("p", {}, element("strong", {}, issues.length ? text("issues") : problem.detail)),
    element("ul", {}, ...linksTo(form, issues).map((link) => element("li", {}, link))),
  );
  if (["missing_api_key", "quota_exceeded", "demo_key"].includes(problem.code)) {
    summary.append(element("a", { href: "#key" }, text("get_key")));
  }
  summary.hidden = false;
  if (focus) moveFocus(form, summary);
}

/** Hide the summary; issues stay at their fields. */
export function hideSummary(form) {
  form.querySelector(".summary").hidden = true;
}

/** Hide the summary and all issues. */
export function clearProblem(form) {
  hideSummary(form);
  for (const control of form.elements) clearIssue(control);
}

/** Show an issue at its field. */
export function showIssue(form, issue) {
  const control = form.elements[issue.campo];
  if (!control) return;
  clearIssue(control);
  const message = element("p", { class: "issue", id: `${control.id}-issue` }, pageText(issue) ?? issue.detail);
  control.closest(".field").append(message);
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", `${hintOf(control)} ${message.id}`.trim());
  const folded = control.closest("details");
  if (folded) folded.open = true;
}

// The API describes amounts with a decimal point; here they are typed with a comma.
const pageText = ({ campo, code }) => textOrNone(`issue_${campo}_${code}`);

/** Hide the issue of a field. */
export function clearIssue(control) {
  if (!control.hasAttribute("aria-invalid")) return;
  control.removeAttribute("aria-invalid");
  control.setAttribute("aria-describedby", hintOf(control));
  document.getElementById(`${control.id}-issue`).remove();
}

const hintOf = (control) => (document.getElementById(`${control.id}-hint`) ? `${control.id}-hint` : "");

/** Links to faulty fields in the form's order, and what no field there says already. */
function linksTo(form, issues) {
  const invalid = [...form.elements].filter(({ name }) => name && issues.some((issue) => issue.campo === name));
  const atFields = new Set(issues.filter((issue) => form.elements[issue.campo]).map((issue) => issue.detail));
  const others = new Set(issues.map((issue) => issue.detail).filter((detail) => !atFields.has(detail)));
  return [...invalid.map(linkTo), ...others];
}

function linkTo(control) {
  const link = element("a", { href: `#${control.id}` }, control.labels[0].firstChild.textContent.trim());
  link.addEventListener("click", (event) => {
    event.preventDefault();
    control.focus();
  });
  return link;
}
