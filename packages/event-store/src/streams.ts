import { Overloaded } from './errors.ts';
import { uuidFrom } from './ids.ts';
import { laneRunner, newLane, type Lane } from './lane.ts';
import { load, type Loading, type SnapshotOptions } from './load.ts';
import type { Store } from './store.ts';
import type { Context, Decider, Decision, Fact, Projection } from './types.ts';

export interface StreamsOptions<State, Command, Event extends Fact> {
  category: string;
  decider: Decider<State, Command, Event>;
  projections?: Projection<Event>[];
  upcast?: (stored: { type: string; data: unknown }) => Event;
  snapshot?: SnapshotOptions<State>;
  /**
   * Appends of different streams share their commits (`together.ts`), and projections get the events of all of them. For streams of
   * few commands whose projections write rows of the stream's own: rows that several streams write would be locked for as long as the
   * others of a commit take.
   */
  together?: boolean;
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

const MAX_LANES = 10_000;

/**
 * Commands for one stream queue in memory and are decided in groups: one after the other against the cached state, then all
 * events, projections and command ids in one round trip and one fsync, then all are answered. No timer: an idle stream adds no
 * latency, groups grow only under load. Design section 5; measured figures in docs/decisions.
 */
export function streams<State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
): Streams<State, Command, Event> {
  const { category, decider, projections = [], snapshot, together, maxWaiting = 5_000, maxKnown = 1_000_000 } = options;
  const upcast = options.upcast ?? ((stored: { type: string; data: unknown }) => stored as Event);
  const loading = { decider, upcast, ...(snapshot && { snapshot }) } satisfies Loading<State, Event>;
  const lanes = new Map<string, Lane<State, Command, Event>>();
  let waiting = 0;
  let known = 0;
  const idle: Array<() => void> = [];

  const work = laneRunner<State, Command, Event>({
    store,
    decider,
    projections,
    loading,
    snapshot,
    together,
    done: (count) => {
      waiting -= count;
      if (waiting === 0) idle.splice(0).forEach((resolve) => resolve());
    },
  });

  function laneOf(id: string): Lane<State, Command, Event> {
    forgetOld();
    const found = lanes.get(id);
    const lane = found ?? newLane(id, `${category}-${id}`);
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
    await work(lane);
    count(lane);
    forgetOld();
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
      const { state, version } = await load(store.pool, stream, loading, store.warn);
      return look(state, version);
    },
    drain: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
