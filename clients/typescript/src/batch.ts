import { ProblemError, UnexpectedAnswer, problem } from "./errors.js";
import type { ProblemDetails } from "./schema.js";

/** `resultados`: an answer or an error for each item, in their order. `contadas`: what they cost. */
export interface Batch<T> {
  resultados: (T | ProblemError)[];
  contadas: number;
}

/** The answer to one item of several. */
export interface Entry<T> {
  indice: number;
  status: number;
  resposta?: T | null;
  problema?: ProblemDetails | null;
}

/** The answers to so many items; a problem becomes an error that is not thrown. */
export function readBatch<T>(count: number, found: { resultados: Entry<T>[]; contadas: number }): Batch<T> {
  return { resultados: readEntries(count, found.resultados), contadas: found.contadas };
}

/** The entries for so many items, without what is counted. */
export function readEntries<T>(count: number, entries: Entry<T>[]): (T | ProblemError)[] {
  const isWhole = entries?.length === count && entries.every((entry, n) => entry.indice === n);
  if (!isWhole) throw new UnexpectedAnswer(200, new Headers());
  return entries.map(read);
}

function read<T>({ status, resposta, problema }: Entry<T>): T | ProblemError {
  if (resposta) return resposta;
  const error = problem(problema, status, new Headers());
  if (error instanceof UnexpectedAnswer) throw error;
  return error;
}
