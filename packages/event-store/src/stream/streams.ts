import { outsideSpans } from '@beltway/tracing';
import { Overloaded } from '../errors.ts';
import { uuidFrom } from '../ids.ts';
import type { Store } from '../store.ts';
import type { Context, Decider, Decision, Fact, Projection, Upcast } from '../types.ts';
import { loadState, type LoadOptions, type SnapshotOptions } from './cached-state.ts';
import { inCommandSpan } from './spans.ts';
import { showWaiting } from './statistics.ts';
import { openStream, streamWriter, type OpenStream } from './writer.ts';

export interface StreamsOptions<State, Command, Event extends Fact> {
  category: string;
  decider: Decider<State, Command, Event>;
  projections?: Projection<Event>[];
  snapshot?: SnapshotOptions<State>;
  /**
   * Appends of different streams share their commits (`log/shared-commits.ts`), and projections get the events of all of them. For
   * categories of many streams with few commands each, whose projections write rows of one stream only: a row that several streams
   * write would stay locked until the whole commit is done.
   */
  sharedCommits?: boolean;
  /** Commands that may wait, over all streams of the category. Default 5,000. */
  maxWaiting?: number;
  /** Command ids kept in memory, over all streams of the category; about 100 bytes each. Default 1,000,000. */
  maxCommandIds?: number;
}

export interface Streams<State, Command, Event extends Fact> {
  category: string;
  projections: Projection<Event>[];
  /**
   * Decides a command and appends its events. Resolves when they are durable.
   * Throws `Rejected` (refused by the rules), `CommandReused` (same id, other body), `Overloaded` (try again soon).
   */
  handle(id: string | number, command: Command, context: Context): Promise<Decision<Event>>;
  /** Looks at the committed state. The state passed to `look` belongs to the store: copy what is kept. */
  read<T>(id: string | number, look: (state: State, version: number) => T): Promise<T>;
  /** Resolves when no command is waiting: for an orderly shutdown. */
  drain(): Promise<void>;
}

const MAX_OPEN_STREAMS = 10_000;

/**
 * Commands for one stream wait in a queue and are decided in groups: one after the other on the cached state, then all events,
 * projections and command ids are written in one round trip and one fsync, then all commands are answered. There is no timer: an idle
 * stream adds no latency, groups grow only under load (docs/decisions/0001).
 */
export function streams<State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
): Streams<State, Command, Event> {
  const { category, decider, projections = [], snapshot, maxWaiting = 5_000, maxCommandIds = 1_000_000 } = options;
  // What is stored and not upcast has today's shape: this category's events are appended by it alone.
  const upcast = (store.upcasts[category] ?? ((stored) => stored)) as Upcast<Event>;
  const load = { decider, upcast, ...(snapshot && { snapshot }) } satisfies LoadOptions<State, Event>;
  /** In the order of their last use. */
  const open = new Map<string, OpenStream<State, Command, Event>>();
  let waiting = 0;
  let commandIds = 0;
  const onIdle: Array<() => void> = [];

  showWaiting(category, () => waiting);

  const write = streamWriter<State, Command, Event>({
    store,
    category,
    decider,
    projections,
    load,
    snapshot,
    sharedCommits: options.sharedCommits ?? false,
    answered: (count) => {
      waiting -= count;
      if (waiting === 0) onIdle.splice(0).forEach((resolve) => resolve());
    },
  });

  function streamOf(id: string): OpenStream<State, Command, Event> {
    evict();
    const stream = open.get(id) ?? openStream(id, `${category}-${id}`);
    open.delete(id);
    open.set(id, stream);
    return stream;
  }

  /** Drops the streams that have not been used for longest. */
  function evict(): void {
    for (const [id, stream] of open) {
      if (open.size <= MAX_OPEN_STREAMS && commandIds <= maxCommandIds) return;
      if (stream.writing || stream.queue.length > 0) continue;
      open.delete(id);
      commandIds -= stream.countedCommandIds;
    }
  }

  async function run(stream: OpenStream<State, Command, Event>): Promise<void> {
    await write(stream);
    const size = stream.cached?.commandIds.size ?? 0;
    commandIds += size - stream.countedCommandIds;
    stream.countedCommandIds = size;
    evict();
  }

  return {
    category,
    projections,
    handle: (id, command, context) => {
      if (waiting >= maxWaiting) return Promise.reject(new Overloaded());
      waiting++;
      const stream = streamOf(String(id));
      return new Promise((resolve, reject) => {
        const pending = { command, commandId: uuidFrom(context.commandId), context, resolve, reject };
        stream.queue.push(inCommandSpan(category, pending));
        if (!stream.writing) void outsideSpans(() => run(stream));
      });
    },
    read: async (id, look) => {
      // Not from the cached state: it may contain uncommitted events.
      const { state, version } = await loadState(store.pool, `${category}-${id}`, load, store.warn);
      return look(state, version);
    },
    drain: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}
