import { outsideSpans } from '@beltway/tracing';
import { Overloaded } from '../errors.ts';
import { uuidFrom } from '../ids.ts';
import type { Store } from '../store.ts';
import type { Context, Decider, Decision, Fact, Projection, Upcast } from '../types.ts';
import { loadState, type LoadOptions, type SnapshotOptions } from './cached-state.ts';
import { inCommandSpan } from './spans.ts';
import { showWaiting } from './statistics.ts';
import { openStream, takeCommands, type OpenStream, type PendingCommand, type Writer } from './state.ts';
import { appendPipelined } from './append/pipelined.ts';
import { settle } from './retry.ts';

export interface StreamsOptions<State, Command, Event extends Fact> {
  category: string;
  decider: Decider<State, Command, Event>;
  projections?: Projection<Event>[];
  snapshot?: SnapshotOptions<State>;
  /** Maximum number of waiting commands over all streams of the category. Default 5,000. */
  maxWaiting?: number;
  /**
   * Maximum number of cached command ids over all streams of the category, unless a single stream has more; about 100
   * bytes each. Default 1,000,000.
   */
  maxCommandIds?: number;
}

export interface Streams<State, Command, Event extends Fact> {
  category: string;
  projections: Projection<Event>[];
  /**
   * Decides a command and appends its events. Resolves when the events are durable. Throws `Rejected` (the rules reject
   * the command), `CommandReused` (same id, other body), `Overloaded` (retry soon).
   */
  handle(id: string | number, command: Command, context: Context): Promise<Decision<Event>>;
  /**
   * Reads the committed state. The state passed to `look` belongs to the store, so `look` must copy what it returns.
   */
  read<T>(id: string | number, look: (state: State, version: number) => T): Promise<T>;
  /** Resolves when no command is waiting, for an orderly shutdown. */
  drain(): Promise<void>;
}

const MAX_OPEN_STREAMS = 10_000;

/**
 * Commands for one stream wait in a queue and are processed in groups. A group is decided in sequence on the cached
 * state. Then all its events, projections and command ids are written in one round trip and one fsync, and all its
 * commands are answered. There is no batching delay: an idle stream adds no latency, and groups grow only under load
 * (docs/decisions/0001).
 */
export const streams = <State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
): Streams<State, Command, Event> => openStreams(store, options, false);

/**
 * Like `streams`, for categories of many streams with few commands each: appends of different streams share commits
 * (`append/shared.ts`). A projection receives the events of all these streams and must write only rows that belong to a
 * single stream, because a row shared by streams would stay locked until the whole commit is done.
 */
export const streamsWithSharedCommits = <State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
): Streams<State, Command, Event> => openStreams(store, options, true);

function openStreams<State, Command, Event extends Fact>(
  store: Store,
  options: StreamsOptions<State, Command, Event>,
  shareCommits: boolean,
): Streams<State, Command, Event> {
  const { category, decider, projections = [], snapshot, maxWaiting = 5_000, maxCommandIds = 1_000_000 } = options;
  // Stored events without an upcast have the current shape, because only this category appends them.
  const upcast = (store.upcasts[category] ?? ((stored) => stored)) as Upcast<Event>;
  const load = { decider, upcast, ...(snapshot && { snapshot }) } satisfies LoadOptions<State, Event>;
  /** Least recently used first. */
  const open = new Map<string, OpenStream>();
  let waiting = 0;
  let commandIds = 0;
  const onIdle: Array<() => void> = [];

  showWaiting(category, () => waiting);

  const writer: Writer = {
    ...{ store, category, decider, load, snapshot },
    projections: projections as Projection<Fact>[],
    sharedCommits: shareCommits ? { waiting: [], isRunning: false } : undefined,
    answered: (count) => {
      waiting -= count;
      if (waiting === 0) onIdle.splice(0).forEach((resolve) => resolve());
    },
  };

  function streamOf(id: string): OpenStream {
    evict();
    const stream = open.get(id) ?? openStream(id, `${category}-${id}`);
    open.delete(id);
    open.set(id, stream);
    return stream;
  }

  /** Evicts the least recently used streams, but never the last used one, however many commands it has. */
  function evict(): void {
    let newer = open.size;
    for (const [id, stream] of open) {
      newer--;
      if (newer === 0 || (open.size <= MAX_OPEN_STREAMS && commandIds <= maxCommandIds)) return;
      if (stream.writing || stream.queue.length > 0) continue;
      open.delete(id);
      commandIds -= stream.countedCommandIds;
    }
  }

  /**
   * Decides, appends and answers the commands in a stream's queue. Normally the append is pipelined. In all other cases
   * (the stream is not cached, a conflict, a fault, a group without events, shared commits) the append is sequential,
   * and `settle` retries it until each command is answered.
   */
  async function run(stream: OpenStream): Promise<void> {
    stream.writing = true;
    while (stream.queue.length > 0)
      if (stream.cached && stream.lockedGroups === 0 && !shareCommits)
        await appendPipelined(writer, stream, stream.cached);
      else await settle(writer, stream, takeCommands(stream));
    stream.writing = false;
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
      return new Promise((given, reject) => {
        const resolve = given as PendingCommand['resolve'];
        const pending = { command, commandId: uuidFrom(context.commandId), context, resolve, reject };
        stream.queue.push(inCommandSpan(category, pending));
        if (!stream.writing) void outsideSpans(() => run(stream));
      });
    },
    read: async (id, look) => {
      // Does not use the cached state, because that state may contain uncommitted events.
      const { state, version } = await loadState(store.pool, `${category}-${id}`, load, store.warn);
      return look(state, version);
    },
    drain: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}
