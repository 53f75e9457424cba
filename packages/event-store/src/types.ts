import type { QueryResult, QueryResultRow } from 'pg';

/** A domain event: what happened, in the past tense. */
export interface Fact {
  type: string;
  data: unknown;
}

/** Pure rules of one kind of stream. `evolve` may change the state it is given: it belongs to the store. */
export interface Decider<State, Command, Event extends Fact> {
  initial(): State;
  /** Throws `Rejected` when the command is refused; `[]` when there is nothing to do. */
  decide(command: Command, state: State): Event[];
  evolve(state: State, event: Event): State;
}

/** Turns an old shape of a stored event into today's. Gets every event of its category, those of today's shape too. */
export type Upcast<Event extends Fact = Fact> = (stored: Fact) => Event;

/** By category. Every reader of the log applies them; what is stored is never rewritten. */
export type Upcasts = Readonly<Record<string, Upcast>>;

/** Where an event stands in the log, and what caused it. */
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
  /** Of the span that appended it, where its trace is recorded. */
  traceparent?: string;
}

export type Recorded<Event extends Fact> = Event & Place;

/** Collects the statements of a projection; they are sent with the append, in one round trip. */
export interface Statements {
  query(text: string, values?: unknown[]): void;
}

/**
 * Events → rows, in the transaction of the append. Gets the whole group, so it writes once (`unnest`): events of one stream, or of
 * several where appends share their commits (`together`).
 */
export type Projection<Event extends Fact> = (sql: Statements, group: Recorded<Event>[]) => void;

/** Anything that runs a query and answers rows. */
export interface Queries {
  query<Row extends QueryResultRow>(
    text: string | { name: string; text: string; values: unknown[] },
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** What comes with a command. */
export interface Context {
  /** The client's idempotency key, a message's id, a payment's id. A known id is answered as it was decided, not decided again. */
  commandId: string;
  /** What must be equal when the id comes again (the request's body); another one is refused. */
  fingerprint?: string;
  userId?: number;
  correlationId?: string;
  causationId?: string;
  /** The caller has looked, and nothing is in the stream yet: it is not read once more. Should that be wrong, the append tells. */
  begins?: boolean;
}

export interface Decision<Event extends Fact> {
  /** The stream's version after this command. */
  version: number;
  events: Event[];
  /** True when the command had been decided before. */
  repeated: boolean;
}
