// How one call is written in each language of the tabs: `{base, path, key, tool, body}` to text.

const asJson = (value) => JSON.stringify(value, null, 2);
const quoted = (value) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
const indented = (value, spaces) => value.replaceAll("\n", `\n${" ".repeat(spaces)}`);

function curl({ base, path, key, body }) {
  return [
    `curl ${base}${path} \\`,
    `  -H 'X-API-Key: ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(indented(asJson(body), 2))}`,
  ].join("\n");
}

function python({ base, path, key, body }) {
  return [
    "import requests",
    "",
    "answer = requests.post(",
    `    "${base}${path}",`,
    `    headers={"X-API-Key": "${key}"},`,
    `    json=${indented(asPython(body), 4)},`,
    "    timeout=10,",
    ")",
    "print(answer.json())",
  ].join("\n");
}

// JSON is Python but for its constants; of them a body holds only booleans.
function asPython(body) {
  const lines = Object.entries(body).map(([name, value]) => {
    const written = typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
    return `    ${JSON.stringify(name)}: ${written},\n`;
  });
  return `{\n${lines.join("")}}`;
}

function javascript({ base, path, key, body }) {
  return [
    `const answer = await fetch("${base}${path}", {`,
    '  method: "POST",',
    `  headers: { "X-API-Key": "${key}", "Content-Type": "application/json" },`,
    `  body: JSON.stringify(${indented(asJson(body), 2)}),`,
    "});",
    "console.log(await answer.json());",
  ].join("\n");
}

function mcp({ base, key, tool, body }) {
  const server = { type: "http", url: `${base}mcp`, headers: { "X-API-Key": key } };
  return `${asJson({ mcpServers: { brskills: server } })}\n\n// ${tool}\n${asJson(body)}`;
}

export const WRITERS = { curl, Python: python, JavaScript: javascript, MCP: mcp };
