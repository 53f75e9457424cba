import { prepared } from '../pg/prepared.ts';
import type { Fact, Queries, Upcast } from '../types.ts';

/** What a command decided, read back from the log. */
export async function findCommand<Event extends Fact>(
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

/** The stream each of these commands was decided in. */
export async function streamsOfCommands(db: Queries, commandIds: string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ command_id: string; stream: string }>(
    'select command_id, stream from events where command_id = any($1::uuid[])',
    [commandIds],
  );
  return new Map(rows.map(({ command_id, stream }) => [command_id, stream]));
}
