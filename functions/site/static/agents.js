// Snippets that install the tools in an agent's program, with this address and key.

import { base } from "./api.js";
import { byId, element } from "./dom.js";
import { codeTabs } from "./samples.js";
import { text, textOrNone } from "./texts.js";

const SNIPPETS = JSON.parse(byId("snippets").textContent);
const FILES = {
  "Claude Code": "claude-code", "Cursor": "cursor", "VS Code": "vscode", "Codex": "codex", "Gemini CLI": "gemini",
  "Python": "mcp", "TypeScript": "typescript",
  "LangChain": "langchain", "OpenAI Agents": "openai-agents", "Pydantic AI": "pydantic-ai", "Strands": "strands",
};
// Programs that can be configured by a link, made from the snippet.
const LINKS = {
  "Cursor": (code) => {
    const { brskills } = JSON.parse(code).mcpServers;
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=brskills&config=${encodeURIComponent(btoa(JSON.stringify(brskills)))}`;
  },
  "VS Code": (code) => `vscode:mcp/install?${encodeURIComponent(code.match(/'(.*)'/)[1])}`,
};

export function agentsBox() {
  byId("assistant-address").value = `${base}mcp/oauth`;
  const link = element("a", { id: "installs-link" });
  const writers = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, ({ key }) => {
    const code = SNIPPETS[file].replaceAll("{url}", `${base}mcp`).replaceAll("{key}", key);
    link.hidden = !(name in LINKS);
    link.textContent = text("install_in", { name });
    if (name in LINKS) link.href = LINKS[name](code);
    byId("installs-where").textContent = textOrNone(`where_${file}`) ?? text("where_python");
    return code;
  }]));
  codeTabs(byId("installs-panel"), text("installs"), writers, () => ({}));
  byId("installs-note").prepend(link, " ");
}
