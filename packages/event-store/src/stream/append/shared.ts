import { appendOnce, type EventRow } from '../../log/append.ts';
import { isTransient } from '../../pg/faults.ts';
import { statementsFor } from '../decide.ts';
import type { SharedCommits, WaitingAppend, Writer } from '../state.ts';

/**
 * Maximum number of streams per commit. The number is bounded, because each append waits for all other appends in its
 * commit.
 */
const MAX_STREAMS = 100;

const streamOf = ({ rows }: WaitingAppend): string => rows[0]?.stream ?? '';

/**
 * Group commit across streams that rarely have two concurrent commands, such as payments and accounts. Appends that
 * arrive during another append are written together after it: one insert, projections over all events, one commit. If
 * that commit fails, each append is tried separately, so that only the faulty append gets the error. A transient error
 * goes to all callers, which then retry. There is no batching delay.
 */
export const appendShared = (writer: Writer, commits: SharedCommits, rows: EventRow[]): Promise<void> =>
  new Promise((resolve, reject) => {
    commits.waiting.push({ rows, resolve, reject });
    if (!commits.isRunning) void run(writer, commits);
  });

async function run(writer: Writer, commits: SharedCommits): Promise<void> {
  commits.isRunning = true;
  while (commits.waiting.length > 0) {
    // Sorted, so that two instances that write the same streams cannot deadlock.
    const appends = commits.waiting.splice(0, MAX_STREAMS).sort((a, b) => (streamOf(a) < streamOf(b) ? -1 : 1));
    await appendAll(writer, appends);
    await new Promise<void>((resolve) => setImmediate(resolve)); // lets answered callers send their next commands
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
