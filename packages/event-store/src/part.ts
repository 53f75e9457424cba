import { statementsOf, type Row } from './append.ts';
import type { Statement } from './batch.ts';
import { decideGroup, type Decided, type Waiting } from './group.ts';
import type { Loaded } from './load.ts';
import type { Decider, Fact, Projection, Recorded } from './types.ts';

/** A group that is decided and not yet appended. */
export interface Part<Command, Event extends Fact> extends Decided<Command, Event> {
  group: Waiting<Command, Event>[];
  /** What is to be sent for it. Throws when a projection fails: what is remembered is then to be dropped. */
  statements(): Statement[];
}

/** Decides a group. Throws when `evolve` fails: `loaded` is then to be dropped. */
export function decidePart<State, Command, Event extends Fact>(
  decider: Decider<State, Command, Event>,
  statementsFor: (rows: Row[]) => Statement[],
  stream: { stream: string; id: string },
  loaded: Loaded<State>,
  group: Waiting<Command, Event>[],
  warn: (error: unknown) => void,
): Part<Command, Event> {
  const decided = decideGroup(decider, stream, loaded, group, warn);
  return { ...decided, group, statements: () => statementsFor(decided.rows) };
}

/** What appends rows, and writes what `projections` make of them. */
export const statementsWith =
  <Event extends Fact>(projections: Projection<Event>[]) =>
  (rows: Row[]): Statement[] =>
    statementsOf(rows, (sql) =>
      projections.forEach((projection) => projection(sql, rows as unknown as Recorded<Event>[])),
    );
