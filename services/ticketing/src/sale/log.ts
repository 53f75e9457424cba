import { prepared, uuids } from '@beltway/event-store';
import type { Queryable } from '@beltway/kit/postgres';

/**
 * For each of these command ids, the time at which the command was decided. Commands that appended no event are left
 * out.
 */
export async function decidedAt(db: Queryable, commandIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await db.query<{ id: string; at: Date }>(
    prepared('select command_id as id, occurred_at as at from events where command_id = any($1)', [uuids(commandIds)]),
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
