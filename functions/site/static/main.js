// Starts the page's parts, one for each section.

import { accessBox } from "./access.js";
import { agentsBox } from "./agents.js";
import { checkBox } from "./check.js";
import { companyBox } from "./company.js";
import { enableCopying } from "./copy.js";
import { byId } from "./dom.js";
import { keyBox } from "./key.js";
import { pixForm } from "./pix.js";
import { planButton } from "./plans.js";

enableCopying();
pixForm();
const open = companyBox();
const onOpening = (id, start) => byId(id).addEventListener("toggle", start, { once: true });
onOpening("search", async () => (await import("./search-box.js")).searchBox(open));
onOpening("watches", async () => (await import("./watches.js")).watchesBox(open));
checkBox();
keyBox();
agentsBox();
accessBox();
planButton();
