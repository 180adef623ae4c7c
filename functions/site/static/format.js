// Values in the page's language; one of another form stays as it is.

import { language, text } from "./texts.js";

const money = new Intl.NumberFormat(language, { style: "currency", currency: "BRL" });
const here = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const renewal = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "America/Sao_Paulo" });
const number = new Intl.NumberFormat(language);
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });

/** Reais with two decimals, never through a float. */
export const asMoney = (value) => (/^\d+\.\d\d$/.test(value) ? money.format(value) : value);

/** An ISO date. */
export const asDate = (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? day.format(new Date(value)) : value);

/** The day of an instant in Brasília. */
export const asRenewal = (instant) => renewal.format(instant);

/** A whole number. */
export const asNumber = (value) => number.format(value);

/** The day of an instant in the reader's time zone. */
export const asDay = (instant) => here.format(new Date(instant));

/** An instant in the reader's time zone. */
export const asMoment = (instant) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant));

/** A CNPJ with its mask; numbers of test companies have none. */
export const asCnpj = (value) => value.replace(/^(?!SANDBOX)(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");

/** A CNAE code with its mask, as 6201-5/01. */
export const asCnae = (value) => value?.replace(/^(\d{4})(\d)(\d{2})$/, "$1-$2/$3");

/** A phone number with its hyphen, without the area code. */
export const asPhone = (value) => value?.replace(/^(\d{4,5})(\d{4})$/, "$1-$2");

/** A postal code with its hyphen. */
export const asPostalCode = (value) => value?.replace(/^(\d{5})(\d{3})$/, "$1-$2");

/** Parts as one text; empty ones are left out. */
export const joined = (separator, ...parts) => parts.filter(Boolean).join(separator);

/** An address in one line. */
export function asAddress(place) {
  const street = joined(" ", place.tipo_logradouro, place.logradouro);
  return joined(", ", street, place.numero, place.complemento, place.bairro, place.municipio, place.uf, asPostalCode(place.cep));
}

/** Yes or no; `null` if unknown. */
export const asYesOrNo = (value) => (typeof value === "boolean" ? text(value ? "yes" : "no") : null);
