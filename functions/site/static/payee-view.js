// What the registry says of a code's payee, and what its PSP signed.

import { element, terms } from "./dom.js";
import { alertOf } from "./fields.js";
import { asCnpj, asDate, asMoment, asMoney, joined } from "./format.js";
import { word } from "./payee-texts.js";
import { statusWord } from "./situation.js";
import { text } from "./texts.js";

/** The colour and the words of the outcome. */
export function outcomeOf({ nome: name, alertas: alerts, recebedor: company, evidencia: from, assinatura: signature }) {
  if (signature && signature.estado !== "valida") {
    return [signature.estado === "invalida" ? "bad" : "warned", word(signature.estado)];
  }
  const clear = name === "confere" && alerts.length === 0 && !from?.desatualizado;
  return [clear ? "good" : "warned", word(company ? name : "none")];
}

export const detailsOf = (found) => [
  ...found.alertas.map(alertOf),
  ...(found.assinatura ? [signedOf(found)] : []),
  ...(found.recebedor ? [companyOf(found.recebedor, found)] : []),
];

/** Who signed, and the charge where the signature is valid. */
function signedOf({ assinatura: signature, psp, cobranca: charge }) {
  const signer = signature.certificado; // of an invalid signature it is not who signed
  const recurrence = charge?.recorrencia;
  return terms([
    [word("signature"), joined(" · ", charge && word("valida"), ...signature.motivos)],
    [word("signer"), charge && signer && joined(" · ", signer.organizacao ?? signer.titular, signer.cnpj && asCnpj(signer.cnpj), word(signer.nivel))],
    [word("psp"), psp?.nome],
    [word("charge"), charge && joined(" · ", word(charge.tipo), charge.status)],
    [text("valor"), charge?.valor && asMoney(charge.valor)],
    [word("cash"), charge?.retirada && joined(" · ", word(charge.retirada.tipo), asMoney(charge.retirada.valor))],
    [word("due"), charge && asDate(charge.vencimento)],
    [word("ends"), charge?.expira_em && asMoment(charge.expira_em)],
    [word("receiver"), charge?.recebedor && receiverOf(charge.recebedor)],
    [word("terms"), recurrence && joined(" · ", recurrence.objeto, recurrence.periodicidade, recurrence.valor && asMoney(recurrence.valor), asDate(recurrence.inicio), recurrence.retentativa)],
    [word("least"), recurrence?.valor_minimo && asMoney(recurrence.valor_minimo)],
  ]);
}

const receiverOf = ({ nome: name, nome_fantasia: trade, cnpj }) => joined(" · ", name ?? trade, cnpj && asCnpj(cnpj));

function companyOf(company, { nome_recebedor: written, evidencia: from }) {
  const status = company.situacao_cadastral;
  return terms([
    [word("written"), written],
    [text("razao_social"), company.razao_social],
    [text("nome_fantasia"), company.nome_fantasia],
    [text("cnpj"), asCnpj(company.cnpj)],
    [text("situacao"), element("span", {}, statusWord(status), asDate(status.data) ?? "")],
    [text("abertura"), asDate(company.data_inicio_atividade)],
    [text("municipio"), joined(", ", company.municipio, company.uf)],
    [text("fonte"), joined(" · ", from.fonte, asDate(from.data_base), from.desatualizado && text("stale"))],
  ]);
}
