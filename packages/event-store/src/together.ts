import type { Pool } from 'pg';
import { append, type Row } from './append.ts';
import type { Statement } from './batch.ts';
import { isPassing } from './faults.ts';

/** Streams in one commit at most: each of them waits for all. */
const MOST = 100;

interface Waiting {
  /** Of one stream. */
  rows: Row[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

const streamOf = ({ rows }: Waiting): string => rows[0]?.stream ?? '';

/** One append, on a connection of its own. */
export async function appendAlone(writers: Pool, statements: Statement[]): Promise<void> {
  const writer = await writers.connect();
  let failed: Error | undefined;
  try {
    await append(writer, statements);
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    writer.release(failed && isPassing(failed) ? failed : undefined);
  }
}

/**
 * Appends to streams that seldom have two commands at once, a payment's or an account's: what comes while another append is on its
 * way goes out together behind it: one insert, projections that see all of it, one commit. When that fails each is tried alone, so that a fault is told
 * to the one whose it is; one that passes is told to all, who then try again. No timer: a lone append waits for nobody.
 */
export function appendsTogether(
  writers: Pool,
  statementsFor: (rows: Row[]) => Statement[],
): (rows: Row[]) => Promise<void> {
  const waiting: Waiting[] = [];
  let running = false;

  async function writeAll(group: Waiting[]): Promise<void> {
    try {
      await appendAlone(writers, statementsFor(group.flatMap(({ rows }) => rows)));
      group.forEach(({ resolve }) => resolve());
    } catch (error) {
      if (group.length === 1 || isPassing(error)) group.forEach(({ reject }) => reject(error));
      else for (const one of group) await writeAll([one]);
    }
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // In one order, so that two instances that write the same streams wait for each other and do not deadlock.
      const group = waiting.splice(0, MOST).sort((a, b) => (streamOf(a) < streamOf(b) ? -1 : 1));
      await writeAll(group);
      await new Promise<void>((resolve) => setImmediate(resolve)); // those who were answered ask again
    }
    running = false;
  }

  return (rows) =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      if (!running) void run();
    });
}
