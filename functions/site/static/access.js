// The part with the programs that have access: its list is loaded when it is opened, which few do.

import { currentKey, demoKey } from "./api.js";
import { byId } from "./dom.js";

export function accessBox() {
  byId("grants").addEventListener("toggle", load, { once: true });
  openByHash();
  addEventListener("hashchange", openByHash);
}

async function load() {
  const { grantsBox } = await import("./grants.js");
  grantsBox();
}

/**
 * Open the list, and the form for a key above it, for links to #access on the consent page.
 * No element has this id: browsers would scroll to its position before both were opened.
 */
function openByHash() {
  if (location.hash !== "#access") return;
  byId("grants").open = true;
  if (currentKey() === demoKey) byId("key-own").open = true;
  byId("key-own").scrollIntoView({ behavior: "instant" });
}
