import type { PoolClient } from 'pg';
import { append } from './append.ts';
import type { Statement } from './batch.ts';
import { isPassing } from './faults.ts';
import type { Waiting } from './group.ts';
import type { Lane } from './lane.ts';
import type { Loaded, SnapshotOptions } from './load.ts';
import type { Part } from './part.ts';
import { snapshotDue, takeSnapshot } from './snapshots.ts';
import type { Store } from './store.ts';
import type { Fact } from './types.ts';

/** What the quick way needs of the long one. */
export interface LongWay<State, Command, Event extends Fact> {
  store: Store;
  snapshot: SnapshotOptions<State> | undefined;
  /** The next commands of the queue, at most `count`. */
  take(count?: number): Waiting<Command, Event>[];
  decide(group: Waiting<Command, Event>[]): Part<Command, Event>;
  answer(part: Part<Command, Event>): void;
  /** A group that needs no write: refused, or decided before. */
  settleUnwritten(part: Part<Command, Event>): Promise<void>;
  /** What is remembered holds what was not appended: it is read again, and the group is decided again. */
  decideAgain(group: Waiting<Command, Event>[], error: unknown): Promise<void>;
}

/** Why the quick way ended, whom it leaves, and what brings them to an answer all the same. */
interface Stop<Command, Event extends Fact> {
  error: unknown;
  group: Waiting<Command, Event>[];
  goOn: () => Promise<void>;
}

/** A group that is sent and not yet answered. */
interface Sent<Command, Event extends Fact> {
  /** What the group sent after it names as the one it depends on. */
  name: string;
  part: Part<Command, Event>;
  alone: number | undefined;
  /** Never rejects: answers the error, if there was one. */
  writing: Promise<{ error: unknown } | undefined>;
}

export const MAX_GROUP = 500;
/** Not worth dividing. */
const SMALL_GROUP = 16;
/** Groups of a stream on the wire at once: the database finds the next one there when it has done with one. */
const ON_THE_WIRE = 2;

let groups = 0;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The common case: nobody else writes to the stream. While a group is on its way, the next one is decided on what that one will
 * have made of the stream, and sent behind it on the same connection, so that it follows without a pause. It is written only if the
 * very group before it was (`append`); when that fails, both are decided again. Ends when nothing waits, or when something needs the
 * long way.
 */
export async function overlap<State, Command, Event extends Fact>(
  lane: Lane<State, Command, Event>,
  loaded: Loaded<State>,
  way: LongWay<State, Command, Event>,
): Promise<void> {
  const held: { writer?: PoolClient } = {};
  const stop = await overlapOn(held, lane, loaded, way);
  held.writer?.release(isPassing(stop?.error) ? (stop?.error as Error) : undefined);
  await stop?.goOn();
}

/** Keeps the connection it writes on. Answers what is left to do when it had to stop; nothing is on the wire then. */
async function overlapOn<State, Command, Event extends Fact>(
  held: { writer?: PoolClient },
  lane: Lane<State, Command, Event>,
  loaded: Loaded<State>,
  way: LongWay<State, Command, Event>,
): Promise<Stop<Command, Event> | undefined> {
  const { store, snapshot } = way;
  const wire: Sent<Command, Event>[] = [];
  /** Set when no more may be sent: what is on the wire is waited for, then it is done. */
  let stop: Stop<Command, Event> | undefined;
  const decideAgain = (group: Waiting<Command, Event>[], error: unknown): Stop<Command, Event> => ({
    error,
    group,
    goOn: () => way.decideAgain(group, error),
  });

  /** Decides what waits, and sends it. */
  async function sendNext(): Promise<void> {
    const alone = store.peers.alone();
    // With nothing on the wire, half is kept back: it is decided while the first half is on its way.
    const most = wire.length > 0 ? MAX_GROUP : Math.max(SMALL_GROUP, Math.ceil(lane.queue.length / 2));
    const group = way.take(Math.min(most, MAX_GROUP));
    let part: Part<Command, Event>;
    let statements: Statement[];
    try {
      part = way.decide(group);
      statements = part.statements();
    } catch (error) {
      return void (stop = decideAgain(group, error));
    }
    if (part.rows.length === 0) {
      return void (stop = { error: undefined, group, goOn: () => way.settleUnwritten(part) });
    }
    try {
      held.writer ??= await store.writers.connect();
    } catch (error) {
      return void (stop = decideAgain(group, error));
    }
    const name = String(++groups);
    const writing = append(held.writer, statements, { group: name, after: wire.at(-1)?.name }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    wire.push({ name, part, alone, writing });
  }

  const mayGoOn = () => !stop && store.writers.waitingCount === 0 && !(snapshot && snapshotDue(loaded, snapshot));

  while (wire.length > 0 || (!stop && lane.queue.length > 0)) {
    if (wire.length === 0) await sendNext();
    while (wire.length > 0 && wire.length < ON_THE_WIRE && lane.queue.length > 0 && mayGoOn()) await sendNext();
    const first = wire.shift();
    if (!first) continue;
    const failed = await first.writing;
    if (failed) {
      // Those behind it fail too, and what was decided on them and not sent is as wrong.
      for (const { writing } of wire) await writing;
      const groups = [first, ...wire].flatMap(({ part }) => part.group);
      return decideAgain([...groups, ...(stop?.group ?? [])], failed.error);
    }
    store.appended();
    lane.lastIn = first.alone;
    way.answer(first.part);
    if (wire.length === 0 && !stop) {
      if (snapshot && snapshotDue(loaded, snapshot)) takeSnapshot(store, lane.stream, loaded, snapshot);
      // Other lanes want a connection too; this one comes back for another.
      if (store.writers.waitingCount > 0) return undefined;
    }
    await nextTurn(); // those who were answered ask again
  }
  return stop;
}
