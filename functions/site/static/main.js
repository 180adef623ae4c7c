// Puts the page's parts to work; each looks after one section.

import { showAssistantAddress } from "./assistant.js";
import { checkBox } from "./check.js";
import { companyBox } from "./company.js";
import { enableCopying } from "./copy.js";
import { grantsBox } from "./grants.js";
import { keyBox } from "./key.js";
import { pixForm } from "./pix.js";
import { planButton } from "./plans.js";
import { showFirstCall } from "./samples.js";
import { showStatus } from "./status.js";

showFirstCall();
showAssistantAddress();
enableCopying();
pixForm();
checkBox();
companyBox();
keyBox();
grantsBox();
planButton();
showStatus();
