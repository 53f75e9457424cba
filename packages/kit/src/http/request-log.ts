import type { Logger } from '../observe/logger.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  /** The pattern of its path. Never the path: in it may stand what only its owner may know. */
  route: string;
  status: number;
  ms: number;
  bytes?: number;
}

/** Lines a second. */
const LINES = 100;

/**
 * One line per request with its correlation id, up to `lines` a second; what goes beyond is counted, and logged in one. At the
 * start of a sale a line for each would otherwise cost more than in tickets: further requests are counted by status; what was
 * decided for each stands in the log of events.
 */
export function requestLog<Line extends { status: number } = RequestLine>(
  log: Logger,
  lines = LINES,
  text = 'request',
): (line: Line) => void {
  let written = 0;
  let more: Record<string, number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const endOfSecond = () => {
    timer = undefined;
    written = 0;
    if (more) log.info({ more }, `further ${text}s in this second, by status`);
    more = undefined;
  };

  return (line) => {
    timer ??= setTimeout(endOfSecond, 1_000).unref();
    if (++written <= lines) return log.info(line as object, text);
    more ??= {};
    more[line.status] = (more[line.status] ?? 0) + 1;
  };
}
