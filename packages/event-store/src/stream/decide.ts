import { Rejected, Unpublishable } from '../errors.ts';
import { statementsOf, type EventRow } from '../log/append.ts';
import type { Statement } from '../pg/pipeline.ts';
import type { Store } from '../store.ts';
import type { Fact, Recorded } from '../types.ts';
import type { CachedState } from './cached-state.ts';
import type { DecidedGroup, OpenStream, PendingCommand, Writer } from './state.ts';

/**
 * Decides commands in sequence, each on the state after the previous decisions. Changes `cached`, which then contains
 * uncommitted events and must be dropped if the append fails. If a rule throws anything but `Rejected` or returns data
 * that is not JSON, only the command of that rule fails. Throws if `evolve` fails; then `cached` must be dropped too.
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

/** The JSON text of an event's data, as it will be stored. */
function jsonOf({ type, data }: Fact): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`);
  return json;
}

/**
 * A copy of the event as a reload would read it, independent of later changes by state or caller. Throws if the event
 * cannot be published, because the log would keep it permanently and no consumer could parse its message.
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

/** The statements of the insert and the projections. Throws if a projection fails. */
export const statementsFor = ({ projections }: Writer, rows: EventRow[]): Statement[] =>
  statementsOf(rows, (sql) => projections.forEach((projection) => projection(sql, rows as Recorded<Fact>[])));
