// The texts that cards have and the page has not.

import { textsOf } from "./own-texts.js";

const PT = {
  cancelled: "A chamada foi cancelada.",
  unreadable: "A resposta não chegou inteira a este cartão.",
  failed: "A chamada falhou.",
  no_picture: "O QR não chegou a este cartão. Copie o código.",
  code: "Pix copia e cola",
  others: "Outras atividades ({count})",
  partners: "Sócios no cadastro",
  asked: "Consultado em",
  checked: "O que foi conferido",
  name_check: "Nome, no cadastro do CNPJ",
  charge_check: "Cobrança, assinada pelo PSP",
  account_check: "Titular da conta",
  confere: "confere",
  parecido: "parecido",
  diverge: "diverge",
  valida: "assinatura válida",
  invalida: "assinatura inválida",
  nao_verificavel: "não verificada",
  unchecked: "não conferido",
  data_of: "dados de {date}",
  asked_at: "consultado em {moment}",
  only_banks: "só os bancos sabem",
};

const EN = {
  cancelled: "The call was cancelled.",
  unreadable: "The answer did not reach this card in full.",
  failed: "The call failed.",
  no_picture: "The QR did not reach this card. Copy the code.",
  code: "Pix copy-and-paste code",
  others: "Other activities ({count})",
  partners: "Partners on record",
  asked: "Looked up",
  checked: "What was checked",
  name_check: "Name, in the CNPJ's record",
  charge_check: "Charge, signed by the PSP",
  account_check: "Account holder",
  confere: "agrees",
  parecido: "similar",
  diverge: "differs",
  valida: "valid signature",
  invalida: "invalid signature",
  nao_verificavel: "not verified",
  unchecked: "not checked",
  data_of: "data of {date}",
  asked_at: "looked up {moment}",
  only_banks: "only the banks know",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
