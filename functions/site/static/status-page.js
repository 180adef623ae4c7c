// The page of the service's status.

import { showStatus } from "./status.js";

showStatus();
