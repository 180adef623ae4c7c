// The conversation with the host: JSON-RPC by messages to the parent window (MCP Apps, 2026-01-26).

const VERSION = "2026-01-26";
const INITIALIZE = 1; // the id of the only request
const METHOD_NOT_FOUND = -32601;
const ANSWERED = ["ping", "ui/resource-teardown"];

/**
 * Introduce the card `name`, and call `on.context(changes)`, `on.result(result)` and `on.cancelled(reason)`.
 * The first context comes before anything else.
 */
export function connect(name, on) {
  const notified = {
    "ui/notifications/host-context-changed": on.context,
    "ui/notifications/tool-result": on.result,
    "ui/notifications/tool-cancelled": ({ reason }) => on.cancelled(reason),
  };
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      if (data.id === INITIALIZE && data.result) begin(data.result.hostContext ?? {}, on);
    } else if (data.id === undefined) notified[data.method]?.(data.params ?? {});
    else answer(data);
  });
  send({
    id: INITIALIZE,
    method: "ui/initialize",
    params: {
      protocolVersion: VERSION,
      appInfo: { name, version: "1" },
      appCapabilities: { availableDisplayModes: ["inline"] },
    },
  });
}

function begin(context, on) {
  on.context(context);
  send({ method: "ui/notifications/initialized" });
  reportHeight();
}

function answer({ id, method }) {
  if (ANSWERED.includes(method)) send({ id, result: {} });
  else send({ id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
}

/** Report the document's height now and whenever it changes; hosts give the frame that height. */
function reportHeight() {
  const root = document.documentElement;
  let reported;
  new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height !== reported) send({ method: "ui/notifications/size-changed", params: { height } });
    reported = height;
  }).observe(root);
}

// The host's origin is unknown; nothing in these messages is secret.
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
