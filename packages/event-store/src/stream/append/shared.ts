import { appendOnce, type EventRow } from '../../log/append.ts';
import { isTransient } from '../../pg/faults.ts';
import { statementsFor } from '../decide.ts';
import type { SharedCommits, WaitingAppend, Writer } from '../state.ts';

/** Streams in one commit at most: each of them waits for all. */
const MAX_STREAMS = 100;

const streamOf = ({ rows }: WaitingAppend): string => rows[0]?.stream ?? '';

/**
 * Group commit over streams that seldom have two concurrent commands, a payment's or an account's. Appends that arrive while another
 * one is under way are written together after it: one insert, projections that see all events, one commit. When that fails each is
 * tried separately, so that only the one at fault gets the error; a transient error goes to all, who then retry. There is no timer: a
 * single append waits for no other.
 */
export const appendShared = (writer: Writer, commits: SharedCommits, rows: EventRow[]): Promise<void> =>
  new Promise((resolve, reject) => {
    commits.waiting.push({ rows, resolve, reject });
    if (!commits.isRunning) void run(writer, commits);
  });

async function run(writer: Writer, commits: SharedCommits): Promise<void> {
  commits.isRunning = true;
  while (commits.waiting.length > 0) {
    // Sorted, so that two instances that write the same streams wait for each other instead of deadlocking.
    const appends = commits.waiting.splice(0, MAX_STREAMS).sort((a, b) => (streamOf(a) < streamOf(b) ? -1 : 1));
    await appendAll(writer, appends);
    await new Promise<void>((resolve) => setImmediate(resolve)); // callers that were answered send their next commands
  }
  commits.isRunning = false;
}

async function appendAll(writer: Writer, appends: WaitingAppend[]): Promise<void> {
  try {
    const rows = appends.flatMap((one) => one.rows);
    await appendOnce(writer.store.writers, statementsFor(writer, rows));
    appends.forEach(({ resolve }) => resolve());
  } catch (error) {
    if (appends.length === 1 || isTransient(error)) appends.forEach(({ reject }) => reject(error));
    else for (const one of appends) await appendAll(writer, [one]);
  }
}
