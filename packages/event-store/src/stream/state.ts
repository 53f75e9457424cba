import type { Span } from '@beltway/tracing';
import type { EventRow } from '../log/append.ts';
import type { Store } from '../store.ts';
import type { Context, Decider, Decision, Fact, Projection } from '../types.ts';
import type { CachedState, LoadOptions, SnapshotOptions } from './cached-state.ts';

/**
 * A category's rules and shared append state. State, command and event types are checked only at the entry point
 * (`streams.ts`).
 */
export interface Writer {
  store: Store;
  category: string;
  decider: Decider<unknown, unknown, Fact>;
  projections: Projection<Fact>[];
  load: LoadOptions<unknown, Fact>;
  snapshot: SnapshotOptions<unknown> | undefined;
  /** Undefined if each stream commits separately. */
  sharedCommits: SharedCommits | undefined;
  /** Called with the number of commands that have been answered, or are about to be answered. */
  answered: (count: number) => void;
}

/** A queued command, with the functions that answer its caller. */
export interface PendingCommand {
  command: unknown;
  commandId: string;
  context: Context;
  resolve: (decision: Decision<Fact>) => void;
  reject: (error: unknown) => void;
  /** A span that is open until the command is answered; present only if its trace is recorded. */
  span?: Span;
}

/** A stream for which this process has, or recently had, commands. */
export interface OpenStream {
  id: string;
  /** Category and id, `sale-42`. */
  name: string;
  queue: PendingCommand[];
  /** True while a writer processes the queue. */
  writing: boolean;
  cached: CachedState<unknown> | undefined;
  /**
   * The sole-writer epoch in which the cached state matched the head of the log. The state stays current until this
   * epoch ends.
   */
  epoch: number | undefined;
  /**
   * After a conflict with another instance: number of groups that must still be appended under the stream's advisory
   * lock.
   */
  lockedGroups: number;
  /** The number of this stream's cached command ids, counted toward the category's maximum. */
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

/** A group of commands that is decided but not yet appended. */
export interface DecidedGroup {
  /** Time of the decision by `performance.now()`, in ms. */
  decidedAt: number;
  commands: PendingCommand[];
  /** The events to append. */
  rows: EventRow[];
  /** Functions that answer the callers; call them once the rows are durable. */
  answers: Array<() => void>;
  /** Commands that were decided earlier or that occur twice in this group. */
  repeats: PendingCommand[];
  /** The commands whose trace is recorded. */
  traced?: TracedCommand[];
}

/** A command whose trace is recorded, with its events to append. */
export interface TracedCommand {
  span: Span;
  rows: EventRow[];
}

/** Appends of different streams that wait for the next shared commit. */
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

/** Maximum number of commands in a group. */
export const MAX_GROUP = 500;

export const takeCommands = ({ queue }: OpenStream, count = MAX_GROUP): PendingCommand[] => queue.splice(0, count);
