import { statementsOf } from './append.ts';
import type { Statement } from './batch.ts';
import { decideGroup, type Decided, type Waiting } from './group.ts';
import type { Loaded } from './load.ts';
import type { Decider, Fact, Projection, Recorded } from './types.ts';

/** A group that is decided and not yet appended. */
export interface Part<Command, Event extends Fact> extends Decided<Command, Event> {
  group: Waiting<Command, Event>[];
  statements: Statement[];
}

/** Decides a group, and writes down what is to be sent for it. Throws when a projection or `evolve` fails: `loaded` is then to be dropped. */
export function decidePart<State, Command, Event extends Fact>(
  decider: Decider<State, Command, Event>,
  projections: Projection<Event>[],
  stream: { stream: string; id: string },
  loaded: Loaded<State>,
  group: Waiting<Command, Event>[],
  warn: (error: unknown) => void,
): Part<Command, Event> {
  const decided = decideGroup(decider, stream, loaded, group, warn);
  const { rows } = decided;
  const statements = statementsOf(rows, (sql) =>
    projections.forEach((projection) => projection(sql, rows as unknown as Recorded<Event>[])),
  );
  return { ...decided, group, statements };
}
