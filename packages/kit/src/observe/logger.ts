import { currentSpan, isTracing } from '@beltway/tracing';
import { runtime } from '../service/runtime.ts';
import { pino, symbols, type DestinationStream } from 'pino';

export type Logger = import('pino').Logger;

const TOGETHER_MS = 50;
const TOGETHER_CHARACTERS = 8_192;
const WARN = 40;

const atEnd: Array<() => void> = [];
process.on('exit', () => atEnd.forEach((flush) => flush()));

/** Matches the query, the fragment and the credentials of a URL, because they may contain secrets. */
const IN_ADDRESSES = /([?#])[\w.~%[\]-]+=[^\s"'`<>)\\]*|(:\/\/)[^\s/@"'\\]+@/g;

/** Removes secrets that URLs in a log text may contain. */
export const withoutSecrets = (text: string): string =>
  text.replace(IN_ADDRESSES, (_all, mark: string | undefined) => (mark === undefined ? '://…@' : `${mark}…`));

/**
 * The only properties of errors that are logged. Other properties may be a connection with its keys, a request or a
 * row.
 */
const FACTS = ['code', 'errno', 'syscall', 'address', 'port', 'severity', 'schema', 'table', 'column', 'constraint'];
const MAX_CAUSES = 5;

function errorFacts(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? { type: 'object' } : error;
  const given = error as Error & Record<string, unknown>;
  const facts: Record<string, unknown> = { type: given.constructor.name, message: given.message, stack: given.stack };
  for (const name of FACTS)
    if (typeof given[name] === 'string' || typeof given[name] === 'number') facts[name] = given[name];
  if (depth >= MAX_CAUSES) return facts;
  if (given.cause !== undefined) facts['cause'] = errorFacts(given.cause, depth + 1);
  if (error instanceof AggregateError)
    facts['errors'] = error.errors.slice(0, MAX_CAUSES).map((one) => errorFacts(one, depth + 1));
  return facts;
}

/**
 * A stream to standard output, or to the service's log (`runtime.ts`). Lines within 50 ms are written together, because
 * each write is a system call that wakes the reader. A warning is written immediately, with the lines before it. When
 * the process ends, the rest is written. pino's own buffer is not used, because flushing it also waits for fsync,
 * twenty times a second, and blocks everything else.
 */
export function bufferedStdout(out = pino.destination({ fd: runtime.logFd, sync: true })): DestinationStream {
  let timer: NodeJS.Timeout | undefined;
  let lines = '';
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines) out.write(lines);
    lines = '';
  };
  atEnd.push(flush);
  return {
    // Because of this symbol, pino sets `lastLevel` to each line's level.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      lines += withoutSecrets(line);
      if (this.lastLevel >= WARN || lines.length >= TOGETHER_CHARACTERS) flush();
      else timer ??= setTimeout(flush, TOGETHER_MS).unref();
    },
  } as DestinationStream & { lastLevel: number };
}

const traceFields = (): object => {
  const traceId = currentSpan()?.traceId;
  return traceId === undefined ? {} : { traceId };
};

/**
 * Writes JSON lines to standard output. Secrets and cards never reach a log: fields that contain them are listed here,
 * only known properties of errors are written, and queries are removed from all URLs. Lines logged while a trace is
 * recorded contain the trace's id as `traceId`.
 */
export const logger = (name: string, level = 'info', out = bufferedStdout()): Logger =>
  pino(
    {
      name,
      level,
      serializers: { err: (error: unknown) => errorFacts(error) },
      redact: ['*.password', '*.token', '*.authorization', '*.cookie', '*.client_secret', '*.clientSecret'],
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(isTracing() && { mixin: traceFields }),
    },
    out,
  );
