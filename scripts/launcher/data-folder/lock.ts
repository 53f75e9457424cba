import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { closeDataDir, makeDataDir } from './data-dir.ts';

/** Content of `DATA_DIR/run.json` while a copy runs on that folder. */
export interface RunNote {
  id: string;
  pid: number;
  /**
   * This port responds with `id`. The response proves that this copy is running, and not another program with the same
   * process id.
   */
  lockPort: number;
  port?: number;
  postgresPort?: number | undefined;
  kafkaBrokers?: string | undefined;
}

export interface Lock {
  /** Adds information to the lock file. */
  tell(more: Partial<RunNote>): void;
  release(): void;
}

const noteFile = (dataDir: string) => join(dataDir, 'run.json');

function read(file: string): RunNote | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunNote;
  } catch {
    return undefined;
  }
}

/** Creates the complete lock file atomically. Throws if one exists. */
function create(file: string, note: RunNote): void {
  const draft = `${file}.${note.id}.new`;
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } finally {
    rmSync(draft);
  }
}

const answers = ({ lockPort, id }: RunNote): Promise<boolean> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect({ port: lockPort, host: '127.0.0.1', timeout: 2_000 });
    socket.on('data', (chunk) => (heard += chunk));
    socket.on('close', () => resolve(heard === id));
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => socket.destroy());
  });

/** The copy that runs on this folder now, if any. */
export async function runningOn(dataDir: string): Promise<RunNote | undefined> {
  const note = read(noteFile(dataDir));
  return note && (await answers(note)) ? note : undefined;
}

/** Removes a stale lock file. If another start has replaced it in the meantime, puts the new file back. */
function putAside(file: string, oldId: string | undefined, ownId: string): void {
  const aside = `${file}.${ownId}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside)?.id === oldId) rmSync(aside);
  else renameSync(aside, file);
}

/**
 * Locks the folder for this process, or returns the lock file's content if another process holds the lock. The system
 * frees the port of a killed process, so a lock file whose port does not answer is stale.
 */
export async function takeLock(dataDir: string): Promise<Lock | RunNote> {
  makeDataDir(dataDir);
  const id = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(id));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  server.unref();
  let note: RunNote = { id, pid: process.pid, lockPort: (server.address() as { port: number }).port };
  const file = noteFile(dataDir);
  for (;;) {
    try {
      create(file, note);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const old = read(file);
    if (old && (await answers(old))) {
      server.close();
      return old;
    }
    putAside(file, old?.id, id);
  }
  closeDataDir(dataDir);
  return {
    tell: (more) => {
      note = { ...note, ...more };
      writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    release: () => {
      if (read(file)?.id === id) rmSync(file, { force: true });
      server.close();
    },
  };
}
