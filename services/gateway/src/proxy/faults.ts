import { HttpProblem, unavailable } from '@beltway/kit/problems';

/** Made by us when a service says nothing for too long. */
export const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

/** Nothing was sent: no connection came to be. */
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection ended before the answer was whole; something may have been done. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const TOO_LATE = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');
export const wasNotReached = (error: Error): boolean => NOT_REACHED.has(codeOf(error));
export const wasCutOff = (error: Error): boolean => CUT_OFF.has(codeOf(error));

/** What a caller is told when a service does not answer. */
export function problemOf(error: Error): HttpProblem {
  if (wasNotReached(error))
    return unavailable('A part of Beltway does not answer right now. Nothing was lost; please try again.', 1);
  if (TOO_LATE.has(codeOf(error)))
    return new HttpProblem(504, 'timeout', 'A part of Beltway took too long to answer. Please try again.', {
      retryAfter: 2,
    });
  return unavailable(
    'A part of Beltway broke off while answering. It is safe to try again with the same Idempotency-Key.',
    1,
  );
}
