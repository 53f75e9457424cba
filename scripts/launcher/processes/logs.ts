import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const LIMIT = 10 * 1024 * 1024;
const LONGEST = 400;
const REPEAT_MS = 60_000;

/** Starts a new log file if the old file is over 10 MB, and keeps the old file as `.1`. */
export function rotate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file) && statSync(file).size > LIMIT) renameSync(file, `${file}.1`);
}

/** Shortens a warning or error to one readable line; returns undefined for other log lines. */
export function compact(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  if (!line.startsWith('{')) return line.slice(0, LONGEST);
  // Most lines are successful requests, so this checks the level before parsing.
  if (!/"level":[456]0/.test(line)) return undefined;
  try {
    const entry = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } | string };
    const error = typeof entry.err === 'string' ? entry.err : entry.err?.message;
    const word = entry.level >= 50 ? 'error' : 'warning';
    const text = [entry.msg, error].filter((part, index, parts) => part && parts.indexOf(part) === index).join(': ');
    return `${word}: ${text}`.slice(0, LONGEST);
  } catch {
    return line.slice(0, LONGEST);
  }
}

export interface Follower {
  poll(): void;
  stop(): void;
}

/**
 * Reads what is appended to a log and forwards warnings and errors. Services write directly into the file, so that a
 * busy or dead launcher never blocks them. Two polls a second cost less than a pipe. A repeated line is forwarded at
 * most once a minute.
 */
export function follow(file: string, tell: (text: string) => void): Follower {
  const fd = openSync(file, 'a+', 0o600);
  let position = fstatSync(fd).size;
  let rest = '';
  const told = new Map<string, number>();
  let open = true;
  const poll = () => {
    if (!open) return;
    const size = fstatSync(fd).size;
    if (size <= position) return;
    // After a flood of lines, reads only the last part.
    position = Math.max(position, size - 1024 * 1024);
    const chunk = Buffer.alloc(size - position);
    position += readSync(fd, chunk, 0, chunk.length, position);
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    const now = Date.now();
    for (const [text, at] of told) if (now - at > REPEAT_MS) told.delete(text);
    for (const text of lines.map(compact)) {
      if (text === undefined || told.has(text)) continue;
      told.set(text, now);
      tell(text);
    }
  };
  const timer = setInterval(poll, 500);
  timer.unref();
  return {
    poll,
    stop: () => {
      clearInterval(timer);
      poll();
      if (open) closeSync(fd);
      open = false;
    },
  };
}
