/** Codes of Node (`E…`) and undici (`UND_ERR_…`). */
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const TIMED_OUT = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * The code of an error of Node or undici; '' when it has none. A reset while the connection was still being made, as of one that waited
 * for a server that stopped, has the code of a refusal: nothing was sent.
 */
export function faultCode(error: unknown): string {
  const { code = '', syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' && code === 'ECONNRESET' ? 'ECONNREFUSED' : String(code);
}

/** By the error's code: no connection came to be, so nothing was sent. */
export const wasNotReached = (code: string): boolean => NOT_REACHED.has(code);
/** The connection ended before the answer was whole; something may have been done. */
export const wasCutOff = (code: string): boolean => CUT_OFF.has(code);
/** Nothing came for too long; something may have been done. */
export const wasTooLate = (code: string): boolean => TIMED_OUT.has(code);

/** True for an error of a call that may go well later: by its own code or name, not by those of its cause. */
export const isTransientCall = (error: Error): boolean => {
  const code = 'code' in error ? String(error.code) : '';
  return (
    wasNotReached(code) ||
    wasCutOff(code) ||
    wasTooLate(code) ||
    code.startsWith('UND_ERR_') ||
    error.name === 'AbortError' ||
    error.name === 'TimeoutError' ||
    error.message === 'fetch failed'
  );
};
