// A Pix code with fetch; a refusal lists every field that is wrong.
const url = (process.env.BRSKILLS_URL ?? "http://127.0.0.1:8000") + "/api/v1/skills/pix";
const key = process.env.BRSKILLS_API_KEY ?? "brsk_demo00000000000000000000000000001gbZMd";
const charge = { chave: "pix@exemplo.com.br", valor: "49.90", nome_recebedor: "Padaria", cidade: "São Paulo" };
const headers = { "X-API-Key": key, "Content-Type": "application/json" };
const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(charge) });
const body = await answer.json();
console.log(answer.ok ? body.brcode : body);
