import { CommandReused, Overloaded } from './errors.ts';
import { isConflict, isPassing, violated } from './faults.ts';
import { decideGroup, type Waiting } from './group.ts';
import { uuidFrom } from './ids.ts';
import { catchUp, load, type Loaded, type Loading, type SnapshotOptions } from './load.ts';
import { findCommand, streamsOfCommands } from './repeats.ts';
import { takeSnapshot } from './snapshots.ts';
import { append, type Store } from './store.ts';
import type { Context, Decider, Decision, Fact, Projection, Recorded } from './types.ts';

export interface StreamsOptions<State, Command, Event extends Fact> {
  category: string;
  decider: Decider<State, Command, Event>;
  projections?: Projection<Event>[];
  upcast?: (stored: { type: string; data: unknown }) => Event;
  snapshot?: SnapshotOptions<State>;
  /** Commands that may wait, over all streams of the category. Default 5,000. */
  maxWaiting?: number;
  /** Command ids that may be remembered, over all streams of the category; about 100 bytes each. Default 1,000,000. */
  maxKnown?: number;
}

export interface Streams<State, Command, Event extends Fact> {
  category: string;
  projections: Projection<Event>[];
  upcast: (stored: { type: string; data: unknown }) => Event;
  /**
   * Decides a command and appends what it decided. Resolves when that is durable.
   * Throws `Rejected` (refused by the rules), `CommandReused` (same id, other body), `Overloaded` (try again soon).
   */
  handle(id: string | number, command: Command, context: Context): Promise<Decision<Event>>;
  /** Looks at the state as it stands. What `look` gets belongs to the store: copy what is to be kept. */
  read<T>(id: string | number, look: (state: State, version: number) => T): Promise<T>;
  /** Resolves when no command is waiting: for an orderly shutdown. */
  drain(): Promise<void>;
}

/** One stream's queue, and what this process knows of the stream. */
interface Lane<State, Command, Event extends Fact> {
  id: string;
  stream: string;
  queue: Waiting<Command, Event>[];
  running: boolean;
  loaded: Loaded<State> | undefined;
  /** While this process was alone without a break, `loaded` is the last there is. */
  lastIn: number | undefined;
  /** How many command ids of it are in the sum over all streams. */
  counted: number;
  /** Groups for which the stream's advisory lock is still taken after another instance wrote too. */
  contended: number;
}

const MAX_GROUP = 500;
const CONTENDED_GROUPS = 50;
const MAX_LANES = 10_000;
const GIVE_UP_MS = 5_000;

/**
 * Commands for one stream queue in memory and are decided in groups: one after the other against the cached state, then all
 * events, projections and command ids in one round trip and one fsync, then all are answered. No timer: an idle stream adds no
 * latency, groups grow only under load. Design section 5; measured figures in docs/decisions.
 */
export function streams<State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
): Streams<State, Command, Event> {
  const { category, decider, projections = [], snapshot, maxWaiting = 5_000, maxKnown = 1_000_000 } = options;
  const upcast = options.upcast ?? ((stored: { type: string; data: unknown }) => stored as Event);
  const loading: Loading<State, Event> = { decider, upcast, ...(snapshot && { snapshot }) };
  const lanes = new Map<string, Lane<State, Command, Event>>();
  let waiting = 0;
  let known = 0;
  const idle: Array<() => void> = [];

  function laneOf(id: string): Lane<State, Command, Event> {
    forgetOld();
    const found = lanes.get(id);
    const lane = found ?? {
      id,
      stream: `${category}-${id}`,
      queue: [],
      running: false,
      loaded: undefined,
      lastIn: undefined,
      counted: 0,
      contended: 0,
    };
    // Re-inserted at the end: the map's order is the order of last use.
    if (found) lanes.delete(id);
    lanes.set(id, lane);
    return lane;
  }

  function count(lane: Lane<State, Command, Event>): void {
    const size = lane.loaded?.known.size ?? 0;
    known += size - lane.counted;
    lane.counted = size;
  }

  /** The longest unused go first. */
  function forgetOld(): void {
    for (const [id, lane] of lanes) {
      if (lanes.size <= MAX_LANES && known <= maxKnown) return;
      if (lane.running || lane.queue.length > 0) continue;
      lanes.delete(id);
      known -= lane.counted;
    }
  }

  async function run(lane: Lane<State, Command, Event>): Promise<void> {
    lane.running = true;
    while (lane.queue.length > 0) await settle(lane, lane.queue.splice(0, MAX_GROUP));
    lane.running = false;
    count(lane);
    forgetOld();
    if (waiting === 0) idle.splice(0).forEach((resolve) => resolve());
  }

  /** Tries a group until each of its commands is answered. Never throws. */
  async function settle(lane: Lane<State, Command, Event>, group: Waiting<Command, Event>[]): Promise<void> {
    const giveUp = Date.now() + GIVE_UP_MS;
    let pause = 5;
    let open = group;
    while (open.length > 0) {
      try {
        await attempt(lane, open);
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
        for (const one of open) finish(one, () => one.reject(error));
        return;
      }
    }
  }

  function finish(one: Waiting<Command, Event>, answer: () => void): void {
    waiting--;
    answer();
  }

  async function refuseMisused(lane: Lane<State, Command, Event>, open: Waiting<Command, Event>[]) {
    const elsewhere = await streamsOfCommands(
      store.pool,
      open.map((one) => one.commandId),
    );
    return open.filter((one) => {
      const stream = elsewhere.get(one.commandId);
      if (stream === undefined || stream === lane.stream) return true;
      finish(one, () => one.reject(new CommandReused()));
      return false;
    });
  }

  async function attempt(
    lane: Lane<State, Command, Event>,
    group: Waiting<Command, Event>[],
    caughtUp = false,
  ): Promise<void> {
    const { stream } = lane;
    const alone = store.peers.alone();
    const remembered = lane.loaded !== undefined && !caughtUp && (alone === undefined || alone !== lane.lastIn);
    const loaded = (lane.loaded ??= await load(store.pool, stream, loading));
    const locked = lane.contended > 0;
    const client = locked ? await store.writers.connect() : undefined;
    let failed: Error | undefined;
    try {
      if (client) {
        lane.contended--;
        await client.query('begin');
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [stream]);
        await catchUp(client, stream, loaded, loading);
      }

      const decided = decideGroup(decider, lane, loaded, group, (error) =>
        store.warn(error, `deciding a command of ${stream} failed`),
      );
      const { rows, answers, repeats, version } = decided;

      if (rows.length > 0) {
        const project = (sql: Parameters<Projection<Event>>[0]) =>
          projections.forEach((projection) => projection(sql, rows as unknown as Recorded<Event>[]));
        const writer = client ?? (await store.writers.connect());
        try {
          await append(writer, rows, project, locked);
        } catch (error) {
          failed = error as Error;
          throw error;
        } finally {
          if (!client) writer.release(failed && isPassing(failed) ? failed : undefined);
        }
        loaded.version = version;
        for (const { command } of rows) if (command) loaded.known.add(command.id);
        store.appended();
      } else if (client) {
        await client.query('rollback');
      } else if (remembered && answers.length > 0) {
        // An append is fenced, a refusal is not: what another instance wrote since may have made the wish possible.
        await catchUp(store.pool, stream, loaded, loading);
        if (loaded.version > version) return await attempt(lane, group, true);
      }
      lane.lastIn = alone;

      waiting -= group.length - repeats.length;
      answers.forEach((answer) => answer());
      void answerRepeats(repeats);
      if (snapshot) takeSnapshot(store, stream, loaded, snapshot);
    } catch (error) {
      failed ??= error as Error;
      throw error;
    } finally {
      if (client) {
        if (failed && !isPassing(failed)) await client.query('rollback').catch(() => undefined);
        client.release(failed && isPassing(failed) ? failed : undefined);
      }
    }
  }

  /** What was decided before is read back from the log; the same id with another body is refused. */
  async function answerRepeats(repeats: Waiting<Command, Event>[]): Promise<void> {
    for (const one of repeats) {
      try {
        const past = await findCommand<Event>(store.pool, one.commandId, upcast);
        const { fingerprint } = one.context;
        if (!past) throw new Error(`command ${one.commandId} is known but not in the log`);
        if (fingerprint && past.fingerprint && fingerprint !== past.fingerprint) throw new CommandReused();
        finish(one, () => one.resolve({ version: past.version, events: past.events, repeated: true }));
      } catch (error) {
        finish(one, () => one.reject(error));
      }
    }
    if (waiting === 0) idle.splice(0).forEach((resolve) => resolve());
  }

  return {
    category,
    projections,
    upcast,
    handle: (id, command, context) => {
      if (waiting >= maxWaiting) return Promise.reject(new Overloaded());
      waiting++;
      const lane = laneOf(String(id));
      return new Promise((resolve, reject) => {
        lane.queue.push({ command, commandId: uuidFrom(context.commandId), context, resolve, reject });
        if (!lane.running) void run(lane);
      });
    },
    read: async (id, look) => {
      const stream = `${category}-${id}`;
      // Read apart from the lane: its cached state may hold a group that is not appended yet.
      const { state, version } = await load(store.pool, stream, loading);
      return look(state, version);
    },
    drain: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
