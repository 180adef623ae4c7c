// The viewer over our own description, with the demo key filled in. It may call nobody but us.

const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followScheme();
dark.addEventListener("change", followScheme);

if (window.SwaggerUIBundle) {
  const viewer = SwaggerUIBundle({
    url: new URL("api/v1/openapi.json", document.baseURI).href,
    domNode: document.getElementById("viewer"),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => viewer.preauthorizeApiKey("ApiKey", document.body.dataset.demoKey),
  });
}
