import type { PoolClient } from 'pg';
import { append } from '../../log/append.ts';
import { isTransient } from '../../pg/faults.ts';
import type { Statement } from '../../pg/pipeline.ts';
import { answerGroup, takeSnapshotIfDue } from '../answer.ts';
import { snapshotDue, type CachedState } from '../cached-state.ts';
import { decideGroup, statementsFor } from '../decide.ts';
import { reloadAndSettle, settle } from '../retry.ts';
import { startAppendSpans } from '../spans.ts';
import {
  MAX_GROUP,
  takeCommands,
  type DecidedGroup,
  type OpenStream,
  type PendingCommand,
  type Writer,
} from '../state.ts';
import { appendGroup } from './sequential.ts';

/** A queue with at most this many commands is not split into groups. */
const SMALL_GROUP = 16;
/**
 * Maximum number of unacknowledged groups per stream. With two groups, the database can start the second group
 * immediately after the first.
 */
const MAX_PIPELINED = 2;

interface Pipeline {
  stream: OpenStream;
  cached: CachedState<unknown>;
  /** The connection; undefined until it is needed. */
  client: PoolClient | undefined;
  sent: SentGroup[];
  /** Once set, no further group is sent. The pipeline ends after the groups in flight. */
  rest: Rest | undefined;
}

/** A group that was sent to the database and is not acknowledged yet. */
interface SentGroup {
  /** The next pipelined group refers to this name. */
  name: string;
  group: DecidedGroup;
  epoch: number | undefined;
  /** Never rejects: if an error occurred, resolves with the error. */
  written: Promise<{ error: unknown } | undefined>;
}

/** Why the pipeline stopped, and how the remaining commands get their answers. */
interface Rest {
  error: unknown;
  commands: PendingCommand[];
  settle: () => Promise<void>;
}

let groupNames = 0;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Appends groups until an error occurs, then passes the remaining commands to `settle`. No other instance writes to the
 * stream, so each group is decided on the cached state and sent before the previous group is acknowledged.
 */
export async function appendPipelined(writer: Writer, stream: OpenStream, cached: CachedState<unknown>): Promise<void> {
  const pipeline: Pipeline = { stream, cached, client: undefined, sent: [], rest: undefined };
  await run(writer, pipeline);
  const { client, rest } = pipeline;
  client?.release(isTransient(rest?.error) ? (rest?.error as Error) : undefined);
  await rest?.settle();
}

/** Once the promise resolves, all sent groups are acknowledged. */
async function run(writer: Writer, pipeline: Pipeline): Promise<void> {
  const { store } = writer;
  const { stream, sent } = pipeline;
  while (sent.length > 0 || (!pipeline.rest && stream.queue.length > 0)) {
    if (sent.length === 0) await sendNext(writer, pipeline);
    while (sent.length > 0 && sent.length < MAX_PIPELINED && stream.queue.length > 0 && mayPipeline(writer, pipeline))
      await sendNext(writer, pipeline);
    const first = sent.shift();
    if (!first) continue;
    const failed = await first.written;
    if (failed) {
      // The groups pipelined after the failed group fail too, and unsent decisions that are based on these groups are
      // invalid.
      for (const { written } of sent) await written;
      const commands = [first, ...sent].flatMap(({ group }) => group.commands);
      pipeline.rest = undecided(writer, stream, [...commands, ...(pipeline.rest?.commands ?? [])], failed.error);
      return;
    }
    store.appended();
    stream.epoch = first.epoch;
    answerGroup(writer, first.group);
    if (sent.length === 0 && !pipeline.rest) {
      takeSnapshotIfDue(writer, stream, pipeline.cached);
      // Other streams wait for a connection, so this pipeline ends and releases its connection.
      if (store.writers.waitingCount > 0) return;
    }
    await nextTurn(); // lets answered callers send their next commands
  }
}

const mayPipeline = ({ store, snapshot }: Writer, { rest, cached }: Pipeline): boolean =>
  !rest && store.writers.waitingCount === 0 && !(snapshot && snapshotDue(cached, snapshot));

async function sendNext(writer: Writer, pipeline: Pipeline): Promise<void> {
  const { store } = writer;
  const { stream, cached, sent } = pipeline;
  const epoch = store.soleWriter.epoch();
  // If no group is in flight, only half of the queue is sent, so that the other half is decided while the database
  // writes.
  const groupSize = sent.length > 0 ? MAX_GROUP : Math.max(SMALL_GROUP, Math.ceil(stream.queue.length / 2));
  const commands = takeCommands(stream, Math.min(groupSize, MAX_GROUP));
  let group: DecidedGroup;
  let batch: Statement[];
  let endSpans: ReturnType<typeof startAppendSpans> | undefined;
  try {
    group = decideGroup(writer, stream, cached, commands);
    endSpans = startAppendSpans(group);
    batch = statementsFor(writer, group.rows);
    if (group.rows.length > 0) pipeline.client ??= await store.writers.connect();
  } catch (error) {
    endSpans?.(error);
    pipeline.rest = undecided(writer, stream, commands, error);
    return;
  }
  if (group.rows.length === 0) {
    const now = () => appendGroup(writer, stream, group, true, store.soleWriter.epoch());
    pipeline.rest = { error: undefined, commands, settle: () => settle(writer, stream, commands, now) };
    return;
  }
  const name = String(++groupNames);
  const written = append(pipeline.client!, batch, { group: name, after: sent.at(-1)?.name }).then(
    () => (endSpans(), undefined),
    (error: unknown) => {
      endSpans(error);
      return { error };
    },
  );
  sent.push({ name, group, epoch, written });
}

const undecided = (writer: Writer, stream: OpenStream, commands: PendingCommand[], error: unknown): Rest => ({
  error,
  commands,
  settle: () => reloadAndSettle(writer, stream, commands, error),
});
