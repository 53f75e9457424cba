import type { QueryResult, QueryResultRow } from 'pg';

/** A domain event, named in the past tense. */
export interface Fact {
  type: string;
  data: unknown;
}

/** Pure rules of one category. `evolve` may mutate its state, which belongs to the store. */
export interface Decider<State, Command, Event extends Fact> {
  initial(): State;
  /** Throws `Rejected` to reject the command; `[]` means there is nothing to do. */
  decide(command: Command, state: State): Event[];
  evolve(state: State, event: Event): State;
}

/**
 * Converts a stored event to its current shape. Receives every event of its category, even events with the current
 * shape.
 */
export type Upcast<Event extends Fact = Fact> = (stored: Fact) => Event;

/** The upcasts of each category. Every reader of the log applies them; stored events are never rewritten. */
export type Upcasts = Readonly<Record<string, Upcast>>;

/** An event's position in the log, and its cause. */
export interface Place {
  /** Category and id, `sale-42`. */
  stream: string;
  /** The id alone, `42`. */
  id: string;
  version: number;
  occurredAt: Date;
  userId: number | null;
  correlationId: string;
  causationId: string;
  /** The span that appended the event, if its trace is recorded. */
  traceparent?: string;
}

export type Recorded<Event extends Fact> = Event & Place;

/** Collects a projection's statements. The statements are sent together with the append, in one round trip. */
export interface Statements {
  query(text: string, values?: unknown[]): void;
}

/**
 * Writes rows from events in the append's transaction. Receives the whole group, so that one statement can write all
 * rows (`unnest`). The group has events of one stream, or of several streams if appends share commits.
 */
export type Projection<Event extends Fact> = (sql: Statements, group: Recorded<Event>[]) => void;

/** Any object that runs a query and returns rows. */
export interface Queries {
  query<Row extends QueryResultRow>(
    text: string | { name: string; text: string; values: unknown[] },
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** Metadata of a command. */
export interface Context {
  /**
   * The client's idempotency key, a message's id, or a payment's id. For a known id, the earlier decision is returned.
   */
  commandId: string;
  /** A digest of the request's body. If the id is repeated, the digest must match; otherwise the repeat is rejected. */
  fingerprint?: string;
  userId?: number;
  correlationId?: string;
  causationId?: string;
  /**
   * True if the caller has checked that the stream is empty, so that the stream is not read again. If the stream is not
   * empty, the append fails and the command is decided again.
   */
  begins?: boolean;
}

export interface Decision<Event extends Fact> {
  /** The stream's version after this command. */
  version: number;
  events: Event[];
  /** True when the command had already been decided. */
  repeated: boolean;
}
