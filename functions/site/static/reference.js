// The viewer over our own description in the language of the page, with the demo key, if there is one, filled in. It may
// call nobody but us.

const { demoKey } = document.body.dataset;
const main = document.getElementById("viewer");
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followScheme();
dark.addEventListener("change", followScheme);

// The viewer leaves these lists without a name that a screen reader could say.
new MutationObserver(() => {
  for (const list of main.querySelectorAll("#servers, .examples-select-element")) {
    list.setAttribute("aria-label", list.id || "examples");
  }
}).observe(main, { childList: true, subtree: true });

async function describe() {
  const headers = { "Accept-Language": document.documentElement.lang };
  const answer = await fetch(new URL("api/v1/openapi.json", document.baseURI), { headers });
  const description = await answer.json();
  // Calls go to where this page came from, whatever stands before the path.
  description.servers = [{ url: new URL(".", document.baseURI).href.replace(/\/$/, "") }];
  leaveOptionsEmpty(description);
  return description;
}

/**
 * Drop the examples of parameters that may be left out, for the viewer fills them all in: two operations would be tried
 * under one Idempotency-Key, and a company asked for in fresher data than the sandbox has. Texts come in the page's language.
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
    docExpansion: "list", // every operation by its line, none unfolded
    deepLinking: false, // it would put links into buttons, which keyboards and screen readers cannot tell apart
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => demoKey && viewer.preauthorizeApiKey("ApiKey", demoKey),
  });
}
