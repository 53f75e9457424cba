import type { Logger } from '../observe/logger.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  /** The route's pattern. The path itself is never logged, because it may contain secrets. */
  route: string;
  status: number;
  ms: number;
  bytes?: number;
}

/** Maximum number of lines per second. */
const LINES = 100;

export interface RequestLog<Line> {
  /** True if the line of a request may be written now. Otherwise the request is only counted, under its status. */
  admits(status: number): boolean;
  /** Writes the line of an admitted request. */
  write(line: Line): void;
}

/**
 * Logs one line per request with its correlation id, at most `lines` per second. Further requests are counted for each
 * status and logged in one line, because logging would otherwise be the largest cost at the start of a sale. The event
 * log has all decisions anyway.
 */
export function requestLog<Line extends { status: number } = RequestLine>(
  log: Logger,
  lines = LINES,
  text = 'request',
): RequestLog<Line> {
  let written = 0;
  let more: Record<string, number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const endOfSecond = () => {
    timer = undefined;
    written = 0;
    if (more) log.info({ more }, `further ${text}s in this second, by status`);
    more = undefined;
  };

  return {
    admits(status) {
      timer ??= setTimeout(endOfSecond, 1_000).unref();
      if (++written <= lines) return true;
      more ??= {};
      more[status] = (more[status] ?? 0) + 1;
      return false;
    },
    write: (line) => log.info(line as object, text),
  };
}
