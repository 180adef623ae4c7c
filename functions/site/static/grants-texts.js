// The texts of programs with access, which are loaded when they are shown.

import { textsOf } from "./own-texts.js";

const PT = {
  none: "Nenhum programa tem acesso.",
  key: "Para ver e encerrar acessos, informe a sua chave acima, em “Já tenho uma chave”.",
  since: "permitido em {date}",
  used: "recebeu acesso pela última vez em {date}",
  to: "responde em {host}",
  here: "responde no aparelho em que você permitiu",
  call: "1 chamada",
  calls: "{calls} chamadas",
  end: "Encerrar",
  question: "{name} perde o acesso na hora. Para usar de novo, o programa terá de pedir outra vez.",
  end_really: "Encerrar mesmo",
  keep: "Manter",
  ended: "Acesso de {name} encerrado.",
  scope_pix: "Criar códigos Pix para cobrar; ler e conferir códigos",
  scope_cnpj: "Consultar o cadastro de empresas",
  scope_conta: "Ver plano e uso; monitorar empresas e ver mudanças",
  scope_custom: "Usar APIs exclusivas da sua conta, se houver",
};

const EN = {
  none: "No program has access.",
  key: "To see and end access, enter your key above, under “I already have a key”.",
  since: "allowed on {date}",
  used: "last received access on {date}",
  to: "answers at {host}",
  here: "answers on the device where you allowed it",
  call: "1 call",
  calls: "{calls} calls",
  end: "End access",
  question: "{name} loses access at once. To be used again, the program has to ask once more.",
  end_really: "Yes, end it",
  keep: "Keep it",
  ended: "Access of {name} ended.",
  scope_pix: "Create Pix codes to charge with; read and check codes",
  scope_cnpj: "Look up company records",
  scope_conta: "See plan and usage; watch companies",
  scope_custom: "Use custom skills of your account, if any",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
