import { append } from './append.ts';
import { CommandReused } from './errors.ts';
import { isConflict, isPassing, violated } from './faults.ts';
import type { Waiting } from './group.ts';
import { catchUp, load, unbegun, type Loaded, type Loading, type SnapshotOptions } from './load.ts';
import { MAX_GROUP, overlap } from './overlap.ts';
import { decidePart, statementsWith, type Part } from './part.ts';
import { findCommand, streamsOfCommands } from './repeats.ts';
import { snapshotDue, takeSnapshot } from './snapshots.ts';
import type { Store } from './store.ts';
import { appendAlone, appendsTogether } from './together.ts';
import type { Decider, Fact, Projection } from './types.ts';

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
  /** Appends of different streams share their commits. */
  together?: boolean | undefined;
  /** Called when so many commands no longer wait. */
  done: (count: number) => void;
}

const CONTENDED_GROUPS = 50;
const GIVE_UP_MS = 5_000;

/** How the commands that wait in a lane come to be decided, appended and answered. Answers what runs a lane until its queue is empty; that never throws. */
export function laneRunner<State, Command, Event extends Fact>({
  store,
  decider,
  projections,
  loading,
  snapshot,
  together = false,
  done,
}: LaneOptions<State, Command, Event>): (lane: Lane<State, Command, Event>) => Promise<void> {
  type OurLane = Lane<State, Command, Event>;
  type Group = Waiting<Command, Event>[];
  type OurPart = Part<Command, Event>;

  const statementsFor = statementsWith(projections);
  const appendTogether = appendsTogether(store.writers, statementsFor);
  const write = async (part: OurPart): Promise<void> =>
    together ? appendTogether(part.rows) : appendAlone(store.writers, part.statements());

  async function run(lane: OurLane): Promise<void> {
    lane.running = true;
    while (lane.queue.length > 0) {
      if (lane.loaded && lane.contended === 0 && !together) await overlapping(lane, lane.loaded);
      else await settle(lane, take(lane));
    }
    lane.running = false;
  }

  const take = (lane: OurLane, count = MAX_GROUP): Group => lane.queue.splice(0, count);

  const decide = (lane: OurLane, loaded: Loaded<State>, group: Group): OurPart =>
    decidePart(decider, statementsFor, lane, loaded, group, (error) =>
      store.warn(error, `deciding a command of ${lane.stream} failed`),
    );

  const overlapping = (lane: OurLane, loaded: Loaded<State>): Promise<void> =>
    overlap(lane, loaded, {
      store,
      snapshot,
      take: (count) => take(lane, count),
      decide: (group) => decide(lane, loaded, group),
      answer: answerAll,
      settleUnwritten: (part) => settle(lane, part.group, () => attempt(lane, part, true, store.peers.alone())),
      decideAgain: (group, error) => dropped(lane, group, error),
    });

  /** What is remembered holds what was not appended: it is read again, and the group goes the long way. */
  async function dropped(lane: OurLane, group: Group, error: unknown): Promise<void> {
    for (let first = true; group.length > 0; first = false)
      await settle(lane, group.splice(0, MAX_GROUP), first ? () => Promise.reject(error) : undefined);
  }

  function answerAll({ group, answers, repeats }: OurPart): void {
    done(group.length - repeats.length);
    answers.forEach((answer) => answer());
    void answerRepeats(repeats);
  }

  /** All of the part is in the log, and nothing is decided beyond it. */
  function conclude(lane: OurLane, loaded: Loaded<State>, part: OurPart, alone: number | undefined): void {
    lane.lastIn = alone;
    answerAll(part);
    if (snapshot && snapshotDue(loaded, snapshot)) takeSnapshot(store, lane.stream, loaded, snapshot);
  }

  function finish(answer: () => void): void {
    done(1);
    answer();
  }

  /** Tries a group until each of its commands is answered. Never throws. */
  async function settle(
    lane: OurLane,
    group: Group,
    first: () => Promise<void> = () => attemptGroup(lane, group, true),
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
  async function attemptGroup(lane: OurLane, group: Group, first = false): Promise<void> {
    const isNew = first && lane.lastIn === undefined;
    if (isNew && group.every(({ context }) => context.begins)) lane.loaded ??= unbegun(decider);
    const remembered = lane.loaded !== undefined;
    // Asked before the stream is read: what another instance appends from now on may be missing from what is read.
    const alone = store.peers.alone();
    const loaded = (lane.loaded ??= await load(store.pool, lane.stream, loading, store.warn));
    if (lane.contended > 0) return attemptLocked(lane, loaded, group);
    return attempt(lane, decide(lane, loaded, group), remembered, alone);
  }

  async function attempt(
    lane: OurLane,
    part: OurPart,
    remembered: boolean,
    /** Asked before what is remembered of the stream was last compared with the log. */
    alone: number | undefined,
  ): Promise<void> {
    const loaded = lane.loaded!;
    if (part.rows.length > 0) {
      await write(part);
      store.appended();
    } else if (remembered && (alone === undefined || alone !== lane.lastIn) && part.answers.length > 0) {
      // An append is fenced, a refusal is not: what another instance wrote since may have made the wish possible.
      const { version } = loaded;
      await catchUp(store.pool, lane.stream, loaded, loading);
      if (loaded.version > version) return attempt(lane, decide(lane, loaded, part.group), false, alone);
    }
    conclude(lane, loaded, part, alone);
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
        await append(client, part.statements(), { begun: true });
        store.appended();
      } else await client.query('rollback');
      conclude(lane, loaded, part, alone);
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
