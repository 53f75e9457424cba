import { Rejected } from './errors.ts';
import type { Loaded } from './load.ts';
import type { Row } from './append.ts';
import type { Context, Decider, Decision, Fact } from './types.ts';

/** A command in a stream's queue, and who waits for its answer. */
export interface Waiting<Command, Event extends Fact> {
  command: Command;
  commandId: string;
  context: Context;
  resolve: (decision: Decision<Event>) => void;
  reject: (error: unknown) => void;
}

export interface Decided<Command, Event extends Fact> {
  /** To be appended. */
  rows: Row[];
  /** Given when they are. */
  answers: Array<() => void>;
  /** Commands that were decided before, or twice in this group. */
  repeats: Waiting<Command, Event>[];
}

/** What the log will hold of an event's data. */
function jsonOf({ type, data }: Fact): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`);
  return json;
}

/**
 * Decides a group one command after the other: each sees what those before it did. Changes `loaded`, which runs ahead of the log
 * until the group is appended and is thrown away should that fail. A rule that throws anything but `Rejected`, or decides what is no
 * JSON, fails its own command and is reported to `warn`.
 */
export function decideGroup<State, Command, Event extends Fact>(
  decider: Decider<State, Command, Event>,
  { stream, id }: { stream: string; id: string },
  loaded: Loaded<State>,
  group: Waiting<Command, Event>[],
  warn: (error: unknown) => void,
): Decided<Command, Event> {
  const decided: Decided<Command, Event> = { rows: [], answers: [], repeats: [] };
  const occurredAt = new Date();

  for (const one of group) {
    const { commandId, context, command } = one;
    if (loaded.known.has(commandId)) {
      decided.repeats.push(one);
      continue;
    }
    let events: Event[];
    let texts: string[];
    try {
      events = decider.decide(command, loaded.state);
      texts = events.map(jsonOf);
    } catch (error) {
      if (!(error instanceof Rejected)) warn(error);
      decided.answers.push(() => one.reject(error));
      continue;
    }
    events.forEach((event, index) => {
      const json = texts[index]!;
      // A copy, the very thing that a reload would read: the state may keep and change it, and the caller may change its own.
      loaded.state = decider.evolve(loaded.state, { ...event, data: JSON.parse(json) as unknown });
      loaded.version++;
      decided.rows.push({
        stream,
        id,
        version: loaded.version,
        type: event.type,
        data: event.data,
        json,
        occurredAt,
        userId: context.userId ?? null,
        correlationId: context.correlationId ?? commandId,
        causationId: context.causationId ?? commandId,
        ...(index === 0 && {
          command: { id: commandId, size: events.length, fingerprint: context.fingerprint ?? null },
        }),
      });
    });
    if (events.length > 0) loaded.known.add(commandId);
    const { version } = loaded;
    decided.answers.push(() => one.resolve({ version, events, repeated: false }));
  }
  return decided;
}
