import { CommandReused } from '../errors.ts';
import { snapshotDue, takeSnapshot, type CachedState } from './cached-state.ts';
import { noteGroup } from './statistics.ts';
import type { DecidedGroup, OpenStream, PendingCommand, Writer } from './state.ts';
import { prepared } from '../pg/prepared.ts';
import type { Fact, Queries, Upcast } from '../types.ts';

/** Answers a group that appends nothing, because all its commands are rejected or already in the log. */
export function conclude(
  writer: Writer,
  stream: OpenStream,
  cached: CachedState<unknown>,
  group: DecidedGroup,
  epoch: number | undefined,
): void {
  stream.epoch = epoch;
  answerGroup(writer, group);
  takeSnapshotIfDue(writer, stream, cached);
}

export function takeSnapshotIfDue(
  { store, snapshot }: Writer,
  { name }: OpenStream,
  cached: CachedState<unknown>,
): void {
  if (snapshot && snapshotDue(cached, snapshot)) takeSnapshot(store, name, cached, snapshot);
}

export function answerGroup(writer: Writer, { decidedAt, commands, rows, answers, repeats }: DecidedGroup): void {
  const seconds = (performance.now() - decidedAt) / 1_000;
  noteGroup({ category: writer.category, commands: commands.length, events: rows.length, seconds });
  writer.answered(commands.length - repeats.length);
  answers.forEach((answer) => answer());
  void answerRepeats(writer, repeats);
}

export function rejectCommand({ answered }: Writer, command: PendingCommand, error: unknown): void {
  answered(1);
  command.reject(error);
}

/** Answers repeated commands with their earlier decisions from the log. Rejects a repeat that has another body. */
async function answerRepeats(writer: Writer, repeats: PendingCommand[]): Promise<void> {
  const { store, load, answered } = writer;
  for (const one of repeats) {
    try {
      const past = await findCommand(store.pool, one.commandId, load.upcast);
      const { fingerprint } = one.context;
      if (!past) throw new Error(`command ${one.commandId} is known but not in the log`);
      if (fingerprint && past.fingerprint && fingerprint !== past.fingerprint) throw new CommandReused();
      answered(1);
      one.resolve({ version: past.version, events: past.events, repeated: true });
    } catch (error) {
      rejectCommand(writer, one, error);
    }
  }
}

/** Rejects commands whose ids were used in another stream, and returns the other commands. */
export async function rejectReused(
  writer: Writer,
  { name }: OpenStream,
  commands: PendingCommand[],
): Promise<PendingCommand[]> {
  const streams = await streamsOfCommands(
    writer.store.pool,
    commands.map(({ commandId }) => commandId),
  );
  return commands.filter((one) => {
    const elsewhere = streams.get(one.commandId);
    if (elsewhere === undefined || elsewhere === name) return true;
    rejectCommand(writer, one, new CommandReused());
    return false;
  });
}

/** Reads a command's earlier decision from the log. */
async function findCommand<Event extends Fact>(
  db: Queries,
  commandId: string,
  upcast: Upcast<Event>,
): Promise<{ version: number; events: Event[]; fingerprint: string | null } | undefined> {
  const { rows } = await db.query<{ version: string; type: string; data: unknown; fingerprint: string | null }>(
    prepared(
      `select e.version, e.type, e.data, c.fingerprint from events c
     join events e on e.stream = c.stream and e.version between c.version and c.version + c.command_size - 1
     where c.command_id = $1 order by e.version`,
      [commandId],
    ),
  );
  const last = rows.at(-1);
  return (
    last && {
      version: Number(last.version),
      events: rows.map(({ type, data }) => upcast({ type, data })),
      fingerprint: last.fingerprint,
    }
  );
}

/** Finds the stream in which each of these commands was decided. */
async function streamsOfCommands(db: Queries, commandIds: string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ command_id: string; stream: string }>(
    'select command_id, stream from events where command_id = any($1::uuid[])',
    [commandIds],
  );
  return new Map(rows.map(({ command_id, stream }) => [command_id, stream]));
}
