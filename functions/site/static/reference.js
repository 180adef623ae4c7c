// Swagger UI with our OpenAPI document in the page's language and the demo key filled in. The policy restricts it to
// this host.

const base = new URL("../../", import.meta.url).href; // from static/<version>/
const { demoKey } = document.body.dataset;
const main = document.getElementById("viewer");
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followScheme();
dark.addEventListener("change", followScheme);

// Swagger UI gives these lists no accessible name, and the keyboard no way to scroll a long example.
new MutationObserver(() => {
  for (const list of main.querySelectorAll("#servers, .examples-select-element")) {
    list.setAttribute("aria-label", list.id || "examples");
  }
  for (const example of main.querySelectorAll("pre.microlight")) example.tabIndex = 0;
}).observe(main, { childList: true, subtree: true });

async function describe() {
  const headers = { "Accept-Language": document.documentElement.lang };
  const answer = await fetch(`${base}api/v1/openapi.json`, { headers });
  const description = await answer.json();
  // Calls go to this page's base address.
  description.servers = [{ url: base.replace(/\/$/, "") }];
  leaveOptionsEmpty(description);
  return description;
}

/**
 * Remove the examples of optional parameters, which Swagger UI would fill in: two operations would be tried with one
 * Idempotency-Key, and a company requested fresher than the sandbox has it. Texts are in the page's language.
 */
function leaveOptionsEmpty({ paths, components }) {
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    for (const parameter of operation.parameters ?? []) if (!parameter.required) delete parameter.example;
  }
  components.parameters.AcceptLanguage.example = document.documentElement.lang;
}

if (window.SwaggerUIBundle) {
  const viewer = SwaggerUIBundle({
    spec: await describe(),
    domNode: main,
    docExpansion: "list", // all operations, folded
    deepLinking: false, // it would put links into buttons, which is inaccessible
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => demoKey && viewer.preauthorizeApiKey("ApiKey", demoKey),
  });
}
