import type { Pool } from 'pg';
import { isTransient } from '../pg/faults.ts';
import type { Statement } from '../pg/pipeline.ts';
import { appendOnce, type EventRow } from './append.ts';

/** Streams in one commit at most: each of them waits for all. */
const MAX_STREAMS = 100;

interface WaitingAppend {
  /** Of one stream. */
  rows: EventRow[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

const streamOf = ({ rows }: WaitingAppend): string => rows[0]?.stream ?? '';

/**
 * Group commit over streams that seldom have two commands at once, a payment's or an account's. Appends that arrive while another
 * one is under way are written together after it: one insert, projections that see all events, one commit. When that fails each is
 * tried by itself, so that only the one at fault gets the error; a transient error is given to all, who then retry. There is no
 * timer: a single append waits for nobody.
 */
export function sharedCommits(
  writers: Pool,
  statementsFor: (rows: EventRow[]) => Statement[],
): (rows: EventRow[]) => Promise<void> {
  const waiting: WaitingAppend[] = [];
  let running = false;

  async function writeAll(appends: WaitingAppend[]): Promise<void> {
    try {
      await appendOnce(writers, statementsFor(appends.flatMap(({ rows }) => rows)));
      appends.forEach(({ resolve }) => resolve());
    } catch (error) {
      if (appends.length === 1 || isTransient(error)) appends.forEach(({ reject }) => reject(error));
      else for (const one of appends) await writeAll([one]);
    }
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // Sorted, so that two instances that write the same streams wait for each other instead of deadlocking.
      const appends = waiting.splice(0, MAX_STREAMS).sort((a, b) => (streamOf(a) < streamOf(b) ? -1 : 1));
      await writeAll(appends);
      await new Promise<void>((resolve) => setImmediate(resolve)); // callers that were answered send their next commands
    }
    running = false;
  }

  return (rows) =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      if (!running) void run();
    });
}
