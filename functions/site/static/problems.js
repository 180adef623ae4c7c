// Problems of the API, shown where they belong: at the field, and in a summary that leads there.

import { element, moveFocus } from "./dom.js";
import { text, textOrNone } from "./texts.js";

/** Show a refusal: each fault at its field, all of them in the form's summary, which takes the focus if it may. */
export function showProblem(form, problem, { focus }) {
  clearProblem(form);
  const faults = problem.errors ?? [];
  for (const fault of faults) showFault(form, fault);
  const summary = form.querySelector(".summary");
  summary.replaceChildren(
    element("p", {}, element("strong", {}, faults.length ? text("faults") : problem.detail)),
    element("ul", {}, ...linksTo(form, faults).map((link) => element("li", {}, link))),
  );
  if (["missing_api_key", "quota_exceeded", "demo_key"].includes(problem.code)) {
    summary.append(element("a", { href: "#key" }, text("get_key")));
  }
  summary.hidden = false;
  if (focus) moveFocus(form, summary);
}

/** Take the summary away; faults stay at the fields that still hold what is wrong. */
export function hideSummary(form) {
  form.querySelector(".summary").hidden = true;
}

/** Take the summary and all faults away. */
export function clearProblem(form) {
  hideSummary(form);
  for (const control of form.elements) clearFault(control);
}

/** Show one fault at its field. */
export function showFault(form, fault) {
  const control = form.elements[fault.campo];
  if (!control) return;
  clearFault(control);
  const message = element("p", { class: "fault", id: `${control.id}-fault` }, ownWords(fault) ?? fault.detail);
  control.closest(".field").append(message);
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", `${hintOf(control)} ${message.id}`.trim());
  const folded = control.closest("details");
  if (folded) folded.open = true;
}

// The API writes amounts as programs do; on this page they are typed as people do.
const ownWords = ({ campo, code }) => textOrNone(`fault_${campo}_${code}`);

/** Take the fault of one field away. */
export function clearFault(control) {
  if (!control.hasAttribute("aria-invalid")) return;
  control.removeAttribute("aria-invalid");
  control.setAttribute("aria-describedby", hintOf(control));
  document.getElementById(`${control.id}-fault`).remove();
}

const hintOf = (control) => (document.getElementById(`${control.id}-hint`) ? `${control.id}-hint` : "");

/** A link to each faulty field, in the form's order, and the texts of faults that have no field here. */
function linksTo(form, faults) {
  const faulty = [...form.elements].filter((control) => faults.some((fault) => fault.campo === control.name));
  const others = faults.filter((fault) => !form.elements[fault.campo]);
  return [...faulty.map(linkTo), ...others.map((fault) => fault.detail)];
}

function linkTo(control) {
  const link = element("a", { href: `#${control.id}` }, control.labels[0].firstChild.textContent.trim());
  link.addEventListener("click", (event) => {
    event.preventDefault();
    control.focus();
  });
  return link;
}
