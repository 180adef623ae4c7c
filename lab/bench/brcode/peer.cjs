// npm's pix-utils: a list of charges on standard input, a list of {code} or {refused} out.
const { createStaticPix, hasError } = require("pix-utils");

function write(charge) {
  try {
    const pix = createStaticPix({
      merchantName: charge.name,
      merchantCity: charge.city,
      pixKey: charge.key,
      txid: charge.txid,
      ...(charge.description ? { infoAdicional: charge.description } : {}),
      ...(charge.amount === null ? {} : { transactionAmount: Number(charge.amount) }),
    });
    return hasError(pix) ? { refused: pix.message } : { code: pix.toBRCode() };
  } catch (error) {
    return { refused: String(error) };
  }
}

const charges = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(charges.map(write)));
