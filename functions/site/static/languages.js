// Samples of a call by language, from `{base, path, key, body, python, typescript, argument, shown}`.
// The last four are for the clients: methods, argument, and the field to print.

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

function python({ base, key, body, python: method, shown }) {
  return [
    "from brskills import Client",
    "",
    "with Client(",
    `    "${key}",`,
    `    "${base}",`,
    ") as client:",
    `    answer = client.${method}(`,
    ...Object.entries(body).map(([name, value]) => `        ${name}=${asPython(value)},`),
    "    )",
    `    print(answer.${shown})`,
  ].join("\n");
}

// Of constants that Python writes in another way, bodies have booleans alone.
const asPython = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

function typescript({ base, key, typescript: method, argument, shown }) {
  return [
    'import { Client } from "brskills";',
    "",
    "const client = new Client({",
    `  apiKey: "${key}",`,
    `  baseUrl: "${base}",`,
    "});",
    `const answer = await client.${method}(${asJson(argument)});`,
    `console.log(answer.${shown});`,
  ].join("\n");
}

function javascript({ base, path, key, body }) {
  return [
    `const answer = await fetch("${base}${path}", {`,
    '  method: "POST",',
    "  headers: {",
    `    "X-API-Key": "${key}",`,
    '    "Content-Type": "application/json",',
    "  },",
    `  body: JSON.stringify(${indented(asJson(body), 2)}),`,
    "});",
    "console.log(await answer.json());",
  ].join("\n");
}

/** Return the file that most MCP programs read. */
function mcp({ base, key }) {
  return asJson({ mcpServers: { brskills: { type: "http", url: `${base}mcp`, headers: { "X-API-Key": key } } } });
}

export const WRITERS = { curl, Python: python, TypeScript: typescript, JavaScript: javascript, MCP: mcp };
