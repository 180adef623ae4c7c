// Values of the status in the page's language, in Brasília's time.

import { language } from "./texts.js";

const moment = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "America/Sao_Paulo" });
const month = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 });

/** An instant to the minute. */
export const asMoment = (instant) => moment.format(new Date(instant));

/** A month such as 2026-11, in words. */
export const asMonth = (value) => month.format(new Date(`${value}-01`));

/** A ratio of four decimals as a percentage, not rounded. */
export const asShare = (value) => share.format(value);
