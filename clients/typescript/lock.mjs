// `npm run lock`: resolves package.json into package-lock.json anew, and takes the addresses out of it.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const FILE = new URL("package-lock.json", import.meta.url);

rmSync(FILE, { force: true });
execFileSync("npm", ["install", "--package-lock-only"], { stdio: "inherit" });
const lock = JSON.parse(readFileSync(FILE, "utf8"));
for (const listed of Object.values(lock.packages)) delete listed.funding;
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
