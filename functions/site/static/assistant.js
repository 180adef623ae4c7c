// The address that people give to an assistant which signs in by itself.

import { base } from "./api.js";
import { byId } from "./dom.js";

export function showAssistantAddress() {
  byId("assistant-address").value = `${base}mcp/oauth`;
}
