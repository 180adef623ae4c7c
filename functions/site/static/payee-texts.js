// The texts of a payee check, which most visitors never see.

import { textsOf } from "./own-texts.js";

const PT = {
  none: "Sem empresa com que comparar o nome.",
  confere: "O nome confere com o cadastro deste CNPJ.",
  parecido: "O nome tem algo em comum com o cadastro deste CNPJ, mas não o bastante para conferir.",
  diverge: "O nome não é o que o cadastro tem deste CNPJ.",
  desconhecido: "Não há como comparar o nome com o cadastro deste CNPJ.",
  written: "Nome informado",
  invalida: "A assinatura da cobrança não é válida.",
  nao_verificavel: "A cobrança não pôde ser lida ou verificada.",
  signature: "Assinatura",
  valida: "válida",
  signer: "Assinada por",
  dominio: "certificado só do endereço",
  organizacao: "certificado de organização",
  estendida: "certificado de validação estendida",
  psp: "Participante do Pix",
  charge: "Cobrança",
  imediata: "imediata",
  vencimento: "com vencimento",
  recorrencia: "recorrência",
  due: "Vencimento",
  ends: "Vale até",
  receiver: "Recebedor, segundo o PSP",
  terms: "Pix Automático",
};

const EN = {
  none: "There is no company to compare the name with.",
  confere: "The name agrees with the registry's record of this CNPJ.",
  parecido: "The name has something in common with the registry's record of this CNPJ, but not enough to agree.",
  diverge: "The name is not the one that the registry has of this CNPJ.",
  desconhecido: "The name cannot be compared with the registry's record of this CNPJ.",
  written: "Name given",
  invalida: "The charge's signature is not valid.",
  nao_verificavel: "The charge could not be read or verified.",
  signature: "Signature",
  valida: "valid",
  signer: "Signed by",
  dominio: "certificate of the address alone",
  organizacao: "organization's certificate",
  estendida: "extended validation certificate",
  psp: "Pix participant",
  charge: "Charge",
  imediata: "immediate",
  vencimento: "with due date",
  recorrencia: "recurrence",
  due: "Due date",
  ends: "Valid until",
  receiver: "Receiver, as the PSP states",
  terms: "Pix Automático",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
