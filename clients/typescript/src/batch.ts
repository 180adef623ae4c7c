import { ProblemError, UnexpectedAnswer, problem } from "./errors.js";
import type { ProblemDetails } from "./schema.js";

/** `resultados`: an answer or an error for each item, in their order. `contadas`: what they cost. */
export interface Batch<T> {
  resultados: (T | ProblemError)[];
  contadas: number;
}

interface Entry<T> {
  indice: number;
  status: number;
  resposta?: T | null;
  problema?: ProblemDetails | null;
}

/** The answers to so many items; a problem becomes an error that is not thrown. */
export function readBatch<T>(count: number, found: { resultados: Entry<T>[]; contadas: number }): Batch<T> {
  const isWhole = found.resultados?.length === count && found.resultados.every((entry, n) => entry.indice === n);
  if (!isWhole) throw new UnexpectedAnswer(200, new Headers());
  return { resultados: found.resultados.map(read), contadas: found.contadas };
}

function read<T>({ status, resposta, problema }: Entry<T>): T | ProblemError {
  if (resposta) return resposta;
  const error = problem(problema, status, new Headers());
  if (error instanceof UnexpectedAnswer) throw error;
  return error;
}
