import type { Span } from '@beltway/tracing';
import type { EventRow } from '../log/append.ts';
import type { Store } from '../store.ts';
import type { Context, Decider, Decision, Fact, Projection } from '../types.ts';
import type { CachedState, LoadOptions, SnapshotOptions } from './cached-state.ts';

/**
 * A category's rules, and what its appends share. The types of its states, commands and events are checked at the only entrance
 * (`streams.ts`).
 */
export interface Writer {
  store: Store;
  category: string;
  decider: Decider<unknown, unknown, Fact>;
  projections: Projection<Fact>[];
  load: LoadOptions<unknown, Fact>;
  snapshot: SnapshotOptions<unknown> | undefined;
  /** Undefined: each stream has commits of its own. */
  sharedCommits: SharedCommits | undefined;
  /** Called with the number of commands that have been answered, or are about to be. */
  answered: (count: number) => void;
}

/** A command in a stream's queue, and how to answer its caller. */
export interface PendingCommand {
  command: unknown;
  commandId: string;
  context: Context;
  resolve: (decision: Decision<Fact>) => void;
  reject: (error: unknown) => void;
  /** Where its trace is recorded: until it is answered. */
  span?: Span;
}

/** A stream that this process has commands for, or had lately. */
export interface OpenStream {
  id: string;
  /** Category and id, `sale-42`. */
  name: string;
  queue: PendingCommand[];
  /** A writer works on the queue. */
  writing: boolean;
  cached: CachedState<unknown> | undefined;
  /** The sole-writer epoch in which the cached state matched the head of the log; while it lasts, the state is up to date. */
  epoch: number | undefined;
  /** How many groups are still appended under the stream's advisory lock, after a conflict with another instance. */
  lockedGroups: number;
  /** Its share of the category's count of command ids in memory. */
  countedCommandIds: number;
}

export const openStream = (id: string, name: string): OpenStream => ({
  id,
  name,
  queue: [],
  writing: false,
  cached: undefined,
  epoch: undefined,
  lockedGroups: 0,
  countedCommandIds: 0,
});

/** A group of commands, decided and not yet appended. */
export interface DecidedGroup {
  /** By `performance.now()`. */
  decidedAt: number;
  commands: PendingCommand[];
  /** The events to append. */
  rows: EventRow[];
  /** Call them once the rows are durable. */
  answers: Array<() => void>;
  /** Commands that were decided before, or that are twice in this group. */
  repeats: PendingCommand[];
  /** Of `rows`, those of commands whose trace is recorded. */
  traced?: TracedCommand[];
}

/** A command whose trace is recorded, and its events that are about to be appended. */
export interface TracedCommand {
  span: Span;
  rows: EventRow[];
}

/** Appends of different streams that wait for their common commit. */
export interface SharedCommits {
  waiting: WaitingAppend[];
  isRunning: boolean;
}

export interface WaitingAppend {
  /** Events of a single stream. */
  rows: EventRow[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Commands in a group at most. */
export const MAX_GROUP = 500;

export const takeCommands = ({ queue }: OpenStream, count = MAX_GROUP): PendingCommand[] => queue.splice(0, count);
