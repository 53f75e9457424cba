/** Error codes of Node (`E…`) and undici (`UND_ERR_…`). */
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
 * The error code of Node or undici, or ''. A reset while connecting, for example in the backlog of a server that
 * stopped, is treated as a refused connection, because no data was sent.
 */
export function faultCode(error: unknown): string {
  const { code = '', syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' && code === 'ECONNRESET' ? 'ECONNREFUSED' : String(code);
}

/** True if no connection was established, so no data was sent. */
export const wasNotReached = (code: string): boolean => NOT_REACHED.has(code);
/** True if the connection ended before the whole response arrived. The request may have had an effect. */
export const wasCutOff = (code: string): boolean => CUT_OFF.has(code);
/** True if no data arrived for too long. The request may have had an effect. */
export const wasTooLate = (code: string): boolean => TIMED_OUT.has(code);

/**
 * True for an error of a call that may succeed later. Checks the code and name of the error itself, not of its cause.
 */
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
