import { currentSpan, isTracing } from '@beltway/tracing';
import { runtime } from '../service/runtime.ts';
import { pino, symbols, type DestinationStream } from 'pino';

export type Logger = import('pino').Logger;

const TOGETHER_MS = 50;
const TOGETHER_CHARACTERS = 8_192;
const WARN = 40;

const atEnd: Array<() => void> = [];
process.on('exit', () => atEnd.forEach((flush) => flush()));

/** The query or fragment of an address, and a name and password before its host: secrets travel in both. */
const IN_ADDRESSES = /([?#])[\w.~%[\]-]+=[^\s"'`<>)\\]*|(:\/\/)[^\s/@"'\\]+@/g;

/** Text for a log, without what addresses in it may carry. */
export const withoutSecrets = (text: string): string =>
  text.replace(IN_ADDRESSES, (_all, mark: string | undefined) => (mark === undefined ? '://…@' : `${mark}…`));

/** What an error may carry besides that says where it comes from. Anything else may be a connection with its keys, a request or a row. */
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
 * Standard output, or the log of the service (`runtime.ts`). Lines of up to 50 ms are written together: one by one each is a system call, which wakes the reader. A warning
 * goes out at once, with what came before it; the end of the process writes what is left. Gathered here: a flush of pino's own
 * buffer also waits until the file is on disk, twenty times a second, and everything else with it.
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
    // pino then tells the level of each line in `lastLevel`.
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
 * JSON lines on standard output. Secrets and cards never reach a log: fields that carry them are named here, of errors only known fields are
 * written, and addresses lose their queries wherever they stand. A line of a trace that is recorded has its id, `traceId`.
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
