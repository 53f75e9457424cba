import { Rejected, Unpublishable } from '../errors.ts';
import { statementsOf, type EventRow } from '../log/append.ts';
import type { Statement } from '../pg/pipeline.ts';
import type { Store } from '../store.ts';
import type { Fact, Recorded } from '../types.ts';
import type { CachedState } from './cached-state.ts';
import type { DecidedGroup, OpenStream, PendingCommand, Writer } from './state.ts';

/**
 * Decides one command after the other, each on what those before it decided. Changes `cached`, which then contains uncommitted
 * events and must be dropped should the append fail. A rule that throws anything but `Rejected`, or decides what is no JSON, fails
 * its own command only. Throws when `evolve` fails: `cached` must be dropped then too.
 */
export function decideGroup(
  { store, decider }: Writer,
  { id, name }: OpenStream,
  cached: CachedState<unknown>,
  commands: PendingCommand[],
): DecidedGroup {
  const group: DecidedGroup = { decidedAt: performance.now(), commands, rows: [], answers: [], repeats: [] };
  const occurredAt = new Date();
  for (const one of commands) {
    const { commandId, context, command } = one;
    if (cached.commandIds.has(commandId)) {
      group.repeats.push(one);
      continue;
    }
    let events: Fact[];
    let rows: EventRow[];
    let copies: Fact[];
    try {
      events = decider.decide(command, cached.state);
      rows = events.map((event, index) => ({
        stream: name,
        id,
        version: cached.version + 1 + index,
        type: event.type,
        data: event.data,
        json: jsonOf(event),
        occurredAt,
        userId: context.userId ?? null,
        correlationId: context.correlationId ?? commandId,
        causationId: context.causationId ?? commandId,
        ...(index === 0 && {
          command: { id: commandId, size: events.length, fingerprint: context.fingerprint ?? null },
        }),
      }));
      copies = rows.map((row) => publishableCopy(store, row));
    } catch (error) {
      if (!(error instanceof Rejected)) store.warn(error, `deciding a command of ${name} failed`);
      group.answers.push(() => one.reject(error));
      continue;
    }
    for (const copy of copies) cached.state = decider.evolve(cached.state, copy);
    cached.version += rows.length;
    group.rows.push(...rows);
    if (events.length > 0) cached.commandIds.add(commandId);
    if (one.span && events.length > 0) (group.traced ??= []).push({ span: one.span, rows });
    const { version } = cached;
    group.answers.push(() => one.resolve({ version, events, repeated: false }));
  }
  return group;
}

/** What the log will hold of an event's data. */
function jsonOf({ type, data }: Fact): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`);
  return json;
}

/**
 * The event as a reload would read it: state and caller may change theirs. Throws when it cannot be published: the log would keep it
 * forever, and no reader could parse its message.
 */
function publishableCopy({ toMessages }: Store, row: EventRow): Fact {
  const data = JSON.parse(row.json) as unknown;
  try {
    toMessages({ ...row, data });
  } catch (error) {
    throw new Unpublishable(row, error);
  }
  return { type: row.type, data };
}

/** The insert and what the projections write. Throws when a projection fails. */
export const statementsFor = ({ projections }: Writer, rows: EventRow[]): Statement[] =>
  statementsOf(rows, (sql) => projections.forEach((projection) => projection(sql, rows as Recorded<Fact>[])));
