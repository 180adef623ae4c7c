// Starts the page's parts, one for each section.

import { accessBox } from "./access.js";
import { agentsBox } from "./agents.js";
import { checkBox } from "./check.js";
import { companyBox } from "./company.js";
import { enableCopying } from "./copy.js";
import { keyBox } from "./key.js";
import { pixForm } from "./pix.js";
import { planButton } from "./plans.js";

enableCopying();
pixForm();
companyBox();
checkBox();
keyBox();
agentsBox();
accessBox();
planButton();
