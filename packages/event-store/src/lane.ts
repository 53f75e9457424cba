import type { PoolClient } from 'pg';
import { append, statementsOf } from './append.ts';
import type { Statement } from './batch.ts';
import { CommandReused } from './errors.ts';
import { isConflict, isPassing, violated } from './faults.ts';
import { decideGroup, type Decided, type Waiting } from './group.ts';
import { catchUp, load, type Loaded, type Loading, type SnapshotOptions } from './load.ts';
import { findCommand, streamsOfCommands } from './repeats.ts';
import { snapshotDue, takeSnapshot } from './snapshots.ts';
import type { Store } from './store.ts';
import type { Decider, Fact, Projection, Recorded } from './types.ts';

/** One stream's queue, and what this process knows of the stream. */
export interface Lane<State, Command, Event extends Fact> {
  id: string;
  stream: string;
  queue: Waiting<Command, Event>[];
  running: boolean;
  /** Runs ahead of the log while a group is being appended. */
  loaded: Loaded<State> | undefined;
  /** While this process was alone without a break, `loaded` is the last there is. */
  lastIn: number | undefined;
  /** How many command ids of it are in the sum over all streams. */
  counted: number;
  /** Groups for which the stream's advisory lock is still taken after another instance wrote too. */
  contended: number;
}

export const newLane = <State, Command, Event extends Fact>(
  id: string,
  stream: string,
): Lane<State, Command, Event> => ({
  id,
  stream,
  queue: [],
  running: false,
  loaded: undefined,
  lastIn: undefined,
  counted: 0,
  contended: 0,
});

export interface LaneOptions<State, Command, Event extends Fact> {
  store: Store;
  decider: Decider<State, Command, Event>;
  projections: Projection<Event>[];
  loading: Loading<State, Event> & { upcast: NonNullable<Loading<State, Event>['upcast']> };
  snapshot?: SnapshotOptions<State> | undefined;
  /** Called when so many commands no longer wait. */
  done: (count: number) => void;
}

/** A group that is decided and not yet appended. */
interface Part<Command, Event extends Fact> extends Decided<Command, Event> {
  group: Waiting<Command, Event>[];
  statements: Statement[];
}

/** Why the quick way ended, and what brings its commands to an answer all the same. */
interface Stop {
  error: unknown;
  goOn: () => Promise<void>;
}

const MAX_GROUP = 500;
/** Not worth dividing. */
const SMALL_GROUP = 16;
const CONTENDED_GROUPS = 50;
const GIVE_UP_MS = 5_000;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** How the commands that wait in a lane come to be decided, appended and answered. Answers what runs a lane until its queue is empty; that never throws. */
export function laneRunner<State, Command, Event extends Fact>({
  store,
  decider,
  projections,
  loading,
  snapshot,
  done,
}: LaneOptions<State, Command, Event>): (lane: Lane<State, Command, Event>) => Promise<void> {
  type OurLane = Lane<State, Command, Event>;
  type Group = Waiting<Command, Event>[];
  type OurPart = Part<Command, Event>;

  async function run(lane: OurLane): Promise<void> {
    lane.running = true;
    while (lane.queue.length > 0) {
      if (lane.loaded && lane.contended === 0) await overlap(lane, lane.loaded);
      else await settle(lane, take(lane));
    }
    lane.running = false;
  }

  const take = (lane: OurLane, count = MAX_GROUP): Group => lane.queue.splice(0, count);

  function decide(lane: OurLane, loaded: Loaded<State>, group: Group): OurPart {
    const decided = decideGroup(decider, lane, loaded, group, (error) =>
      store.warn(error, `deciding a command of ${lane.stream} failed`),
    );
    const { rows } = decided;
    const statements = statementsOf(rows, (sql) =>
      projections.forEach((projection) => projection(sql, rows as unknown as Recorded<Event>[])),
    );
    return { ...decided, group, statements };
  }

  /**
   * The common case: nobody else writes to the stream. While a group is on its way, the next one is decided on what that one will
   * have made of the stream, so that it follows without a pause. Nothing is sent before the group before it is durable: when that
   * fails, both are decided again. Ends when nothing waits, or when something needs the long way.
   */
  async function overlap(lane: OurLane, loaded: Loaded<State>): Promise<void> {
    const held: { writer?: PoolClient } = {};
    const stop = await overlapOn(held, lane, loaded);
    held.writer?.release(isPassing(stop?.error) ? (stop?.error as Error) : undefined);
    await stop?.goOn();
  }

  /** Keeps the connection it writes on. Answers what is left to do when it had to stop. */
  async function overlapOn(
    held: { writer?: PoolClient },
    lane: OurLane,
    loaded: Loaded<State>,
  ): Promise<Stop | undefined> {
    let answer: (() => void) | undefined;
    let ahead: OurPart | undefined;
    const stopped = (group: Group, error: unknown): Stop => ({ error, goOn: () => dropped(lane, group, error) });

    while (ahead || lane.queue.length > 0) {
      const alone = store.peers.alone();
      // With nothing decided ahead, half is kept back: it is decided while the first half is on its way.
      const room = ahead ? MAX_GROUP - ahead.group.length : Math.max(SMALL_GROUP, Math.ceil(lane.queue.length / 2));
      const rest = take(lane, Math.min(room, MAX_GROUP));
      try {
        if (rest.length > 0) ahead = join(ahead, decide(lane, loaded, rest));
      } catch (error) {
        answer?.();
        return stopped([...(ahead?.group ?? []), ...rest], error);
      }
      const part: OurPart = ahead!;
      ahead = undefined;
      if (part.rows.length === 0) {
        answer?.();
        return { error: undefined, goOn: () => settle(lane, part.group, () => attempt(lane, part)) };
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
      const following = due || store.writers.waitingCount > 0 ? [] : take(lane);
      let failed: { error: unknown } | undefined;
      try {
        if (following.length > 0) ahead = decide(lane, loaded, following);
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
      answer = () => answerAll(part);
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

  /** What is remembered holds what was not appended: it is read again, and the group goes the long way. */
  async function dropped(lane: OurLane, group: Group, error: unknown): Promise<void> {
    for (let first = true; group.length > 0; first = false)
      await settle(lane, group.splice(0, MAX_GROUP), first ? () => Promise.reject(error) : undefined);
  }

  async function write(statements: Statement[]): Promise<void> {
    const writer = await store.writers.connect();
    let failed: Error | undefined;
    try {
      await append(writer, statements, false);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      writer.release(failed && isPassing(failed) ? failed : undefined);
    }
  }

  function answerAll({ group, answers, repeats }: OurPart): void {
    done(group.length - repeats.length);
    answers.forEach((answer) => answer());
    void answerRepeats(repeats);
  }

  function finish(answer: () => void): void {
    done(1);
    answer();
  }

  /** Tries a group until each of its commands is answered. Never throws. */
  async function settle(
    lane: OurLane,
    group: Group,
    first: () => Promise<void> = () => attemptGroup(lane, group),
  ): Promise<void> {
    const giveUp = Date.now() + GIVE_UP_MS;
    let pause = 5;
    let open = group;
    for (let go = first; open.length > 0; go = () => attemptGroup(lane, open)) {
      try {
        await go();
        return;
      } catch (error) {
        lane.loaded = undefined; // it may hold what was not appended
        if (isConflict(error)) {
          lane.contended = CONTENDED_GROUPS;
          if (Date.now() < giveUp) continue;
        } else if (violated(error) === 'events_command') {
          // Decided before: by this stream (known after the reload) or, a misuse, by another.
          open = await refuseMisused(lane, open).catch(() => open);
          if (Date.now() < giveUp) continue;
        } else if (isPassing(error)) {
          // Whether it was appended is not known: tried again, the command ids tell.
          if (Date.now() < giveUp) {
            await new Promise((resolve) => setTimeout(resolve, pause));
            pause = Math.min(pause * 2, 500);
            continue;
          }
        } else if (open.length > 1) {
          // One of them breaks the append: each alone, so that it fails alone.
          for (const one of open) await settle(lane, [one]);
          return;
        }
        for (const one of open) finish(() => one.reject(error));
        return;
      }
    }
  }

  async function refuseMisused(lane: OurLane, open: Group): Promise<Group> {
    const elsewhere = await streamsOfCommands(
      store.pool,
      open.map((one) => one.commandId),
    );
    return open.filter((one) => {
      const stream = elsewhere.get(one.commandId);
      if (stream === undefined || stream === lane.stream) return true;
      finish(() => one.reject(new CommandReused()));
      return false;
    });
  }

  /** Reads the stream where it must, decides, appends. After a conflict under the stream's advisory lock, on what is there then. */
  async function attemptGroup(lane: OurLane, group: Group): Promise<void> {
    const remembered = lane.loaded !== undefined;
    const loaded = (lane.loaded ??= await load(store.pool, lane.stream, loading));
    if (lane.contended > 0) return attemptLocked(lane, loaded, group);
    return attempt(lane, decide(lane, loaded, group), remembered);
  }

  async function attempt(lane: OurLane, part: OurPart, remembered = true): Promise<void> {
    const alone = store.peers.alone();
    const loaded = lane.loaded!;
    if (part.rows.length > 0) {
      await write(part.statements);
      store.appended();
    } else if (remembered && (alone === undefined || alone !== lane.lastIn) && part.answers.length > 0) {
      // An append is fenced, a refusal is not: what another instance wrote since may have made the wish possible.
      const { version } = loaded;
      await catchUp(store.pool, lane.stream, loaded, loading);
      if (loaded.version > version) return attempt(lane, decide(lane, loaded, part.group), false);
    }
    lane.lastIn = alone;
    answerAll(part);
    if (snapshot && snapshotDue(loaded, snapshot)) takeSnapshot(store, lane.stream, loaded, snapshot);
  }

  async function attemptLocked(lane: OurLane, loaded: Loaded<State>, group: Group): Promise<void> {
    const alone = store.peers.alone();
    const client = await store.writers.connect();
    let failed: Error | undefined;
    try {
      lane.contended--;
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lane.stream]);
      await catchUp(client, lane.stream, loaded, loading);
      const part = decide(lane, loaded, group);
      if (part.rows.length > 0) {
        await append(client, part.statements, true);
        store.appended();
      } else await client.query('rollback');
      lane.lastIn = alone;
      answerAll(part);
      if (snapshot && snapshotDue(loaded, snapshot)) takeSnapshot(store, lane.stream, loaded, snapshot);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      if (failed && !isPassing(failed)) await client.query('rollback').catch(() => undefined);
      client.release(failed && isPassing(failed) ? failed : undefined);
    }
  }

  /** What was decided before is read back from the log; the same id with another body is refused. */
  async function answerRepeats(repeats: Group): Promise<void> {
    for (const one of repeats) {
      try {
        const past = await findCommand<Event>(store.pool, one.commandId, loading.upcast);
        const { fingerprint } = one.context;
        if (!past) throw new Error(`command ${one.commandId} is known but not in the log`);
        if (fingerprint && past.fingerprint && fingerprint !== past.fingerprint) throw new CommandReused();
        finish(() => one.resolve({ version: past.version, events: past.events, repeated: true }));
      } catch (error) {
        finish(() => one.reject(error));
      }
    }
  }

  return run;
}

/** Two groups of one stream, to be appended in one transaction. */
const join = <Command, Event extends Fact>(
  first: Part<Command, Event> | undefined,
  second: Part<Command, Event>,
): Part<Command, Event> =>
  first
    ? {
        rows: [...first.rows, ...second.rows],
        answers: [...first.answers, ...second.answers],
        repeats: [...first.repeats, ...second.repeats],
        group: [...first.group, ...second.group],
        statements: [...first.statements, ...second.statements],
      }
    : second;
