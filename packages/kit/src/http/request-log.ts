import type { Logger } from '../observe/logger.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

/** Lines a second; what goes beyond is counted, and logged in one. */
const LINES = 100;

/**
 * One line per request with its correlation id, up to a hundred a second. At the start of a sale a line for each would otherwise cost more
 * than in tickets: further requests are counted by status; what was decided for each stands in the log of events.
 */
export function requestLog(log: Logger): (line: RequestLine) => void {
  let written = 0;
  let more: Record<string, number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const endOfSecond = () => {
    timer = undefined;
    written = 0;
    if (more) log.info({ more }, 'further requests in this second, by status');
    more = undefined;
  };

  return (line) => {
    timer ??= setTimeout(endOfSecond, 1_000).unref();
    if (++written <= LINES) return log.info(line, 'request');
    more ??= {};
    more[line.status] = (more[line.status] ?? 0) + 1;
  };
}
