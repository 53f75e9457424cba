import { pino, symbols, type DestinationStream } from 'pino';

export type Logger = import('pino').Logger;

const TOGETHER_MS = 50;
const TOGETHER_CHARACTERS = 8_192;
const WARN = 40;

const atEnd: Array<() => void> = [];
process.on('exit', () => atEnd.forEach((flush) => flush()));

/**
 * Standard output. Lines of up to 50 ms go out together: one by one each is a system call, which wakes whoever reads. A warning
 * goes out at once, with what came before it; the end of the process writes what is left. Gathered here: a flush of pino's own
 * buffer also waits until the file is on disk, twenty times a second, and everything else with it.
 */
export function gathering(out = pino.destination({ fd: 1, sync: true })): DestinationStream {
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
      lines += line;
      if (this.lastLevel >= WARN || lines.length >= TOGETHER_CHARACTERS) flush();
      else timer ??= setTimeout(flush, TOGETHER_MS).unref();
    },
  } as DestinationStream & { lastLevel: number };
}

/** JSON lines on standard output. Secrets and cards never reach a log: what carries them is named here. */
export const logger = (name: string, level = 'info'): Logger =>
  pino(
    {
      name,
      level,
      redact: ['*.password', '*.token', '*.authorization', '*.cookie', '*.client_secret', '*.clientSecret'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    gathering(),
  );
