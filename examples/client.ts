// The TypeScript client: a code, who is paid, and companies whose absence is an answer. Needs the package `brskills`.
import { Client, CompanyNotFound, ProblemError } from "brskills";

const client = new Client();
const charge = { chave: "SANDBOX1000170", nome_recebedor: "Loja", cidade: "Recife" };
const code = await client.createPixCode(charge);
console.log(code.brcode);
console.log(...(await client.conferir(code.brcode)).alertas.map((alert) => alert.codigo));
for (const found of (await client.companies(["SANDBOX1000170", "SANDBOX4000103", "1"])).resultados) {
  if (found instanceof CompanyNotFound) console.log(found.confirmed ? "not in the register" : "perhaps too new");
  else console.log(found instanceof ProblemError ? found.message : found.razao_social);
}
