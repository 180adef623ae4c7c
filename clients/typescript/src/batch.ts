import { ProblemError, UnexpectedAnswer, problem } from "./errors.js";
import type { ProblemDetails } from "./schema.js";

/** `resultados`: an answer or an error for each item, in their order. `contadas`: what they cost. */
export interface Batch<T> {
  resultados: (T | ProblemError)[];
  contadas: number;
}

interface Entry<T> {
  status: number;
  resposta?: T | null;
  problema?: ProblemDetails | null;
}

/** The items of a batch; a problem becomes an error that is not thrown. */
export function readBatch<T>(found: { resultados: Entry<T>[]; contadas: number }): Batch<T> {
  return { resultados: found.resultados.map(read), contadas: found.contadas };
}

function read<T>({ status, resposta, problema }: Entry<T>): T | ProblemError {
  if (resposta) return resposta;
  const told = problem(problema, status, new Headers());
  if (told instanceof UnexpectedAnswer) throw told;
  return told;
}
