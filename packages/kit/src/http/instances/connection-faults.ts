const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** By the error's code, of Node or undici: no connection came to be, so nothing was sent. */
export const wasNotReached = (code: string): boolean => NOT_REACHED.has(code);
/** The connection ended before the answer was whole; something may have been done. */
export const wasCutOff = (code: string): boolean => CUT_OFF.has(code);
