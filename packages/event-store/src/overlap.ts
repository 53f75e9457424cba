import type { PoolClient } from 'pg';
import { append } from './append.ts';
import { isPassing } from './faults.ts';
import type { Waiting } from './group.ts';
import type { Lane } from './lane.ts';
import type { Loaded, SnapshotOptions } from './load.ts';
import { join, type Part } from './part.ts';
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

/** Why the quick way ended, and what brings its commands to an answer all the same. */
interface Stop {
  error: unknown;
  goOn: () => Promise<void>;
}

export const MAX_GROUP = 500;
/** Not worth dividing. */
const SMALL_GROUP = 16;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The common case: nobody else writes to the stream. While a group is on its way, the next one is decided on what that one will
 * have made of the stream, so that it follows without a pause. Nothing is sent before the group before it is durable: when that
 * fails, both are decided again. Ends when nothing waits, or when something needs the long way.
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

/** Keeps the connection it writes on. Answers what is left to do when it had to stop. */
async function overlapOn<State, Command, Event extends Fact>(
  held: { writer?: PoolClient },
  lane: Lane<State, Command, Event>,
  loaded: Loaded<State>,
  way: LongWay<State, Command, Event>,
): Promise<Stop | undefined> {
  const { store, snapshot, take, decide } = way;
  let answer: (() => void) | undefined;
  let ahead: Part<Command, Event> | undefined;
  const stopped = (group: Waiting<Command, Event>[], error: unknown): Stop => ({
    error,
    goOn: () => way.decideAgain(group, error),
  });

  while (ahead || lane.queue.length > 0) {
    const alone = store.peers.alone();
    // With nothing decided ahead, half is kept back: it is decided while the first half is on its way.
    const room = ahead ? MAX_GROUP - ahead.group.length : Math.max(SMALL_GROUP, Math.ceil(lane.queue.length / 2));
    const rest = take(Math.min(room, MAX_GROUP));
    try {
      if (rest.length > 0) ahead = join(ahead, decide(rest));
    } catch (error) {
      answer?.();
      return stopped([...(ahead?.group ?? []), ...rest], error);
    }
    const part: Part<Command, Event> = ahead!;
    ahead = undefined;
    if (part.rows.length === 0) {
      answer?.();
      return { error: undefined, goOn: () => way.settleUnwritten(part) };
    }

    if (!held.writer)
      try {
        held.writer = await store.writers.connect();
      } catch (error) {
        return stopped(part.group, error);
      }
    const writing = append(held.writer, part.statements, false);
    writing.catch(() => undefined); // looked at below
    answer?.();
    answer = undefined;
    await nextTurn(); // those who were answered ask again
    const due = snapshot && snapshotDue(loaded, snapshot);
    const following = due || store.writers.waitingCount > 0 ? [] : take();
    let failed: { error: unknown } | undefined;
    try {
      if (following.length > 0) ahead = decide(following);
    } catch (error) {
      failed = { error };
    }
    try {
      await writing;
    } catch (error) {
      return stopped([...part.group, ...following], error);
    }
    store.appended();
    lane.lastIn = alone;
    answer = () => way.answer(part);
    if (ahead) continue;
    answer();
    answer = undefined;
    if (failed) return stopped(following, failed.error);
    if (due) takeSnapshot(store, lane.stream, loaded, snapshot);
    // Other lanes want a connection too; this one comes back for another.
    if (store.writers.waitingCount > 0) break;
    if (lane.queue.length === 0) await nextTurn();
  }
  answer?.();
  return undefined;
}
