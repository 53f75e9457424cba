import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { DatabaseClock } from './database-clock.ts';
import { publishChanges } from './hub/peers.ts';
import type { Hub } from './hub/state.ts';
import type { Rooms } from './stream.ts';

/** Of those that chats have something of. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from chat_messages), (select max(owner_id) from chat_events)) as highest`;

/** What they wrote in chats and gave as reactions; the newest first. */
export async function chatPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string, key: unknown = userId) =>
    (await db.query(text, [key, MAX_EXPORTED])).rows as object[];
  const [messages, reactions] = await Promise.all([
    list(`select room, seq, user_name as "userName", message, created_at as "createdAt", removed_at as "removedAt"
      from chat_messages where user_id = $1 order by created_at desc limit $2`),
    list(
      `select room, seq, reaction, given_at as "givenAt" from chat_reactions where person = $1 order by given_at desc limit $2`,
      `account:${userId}`,
    ),
  ]);
  const isComplete = [messages, reactions].every(({ length }) => length < MAX_EXPORTED);
  return { messages, reactions, isComplete };
}

/** Messages of a person in one room that pages are told of; older ones show it when they are asked for. */
const TOLD = 200;

const COUNTED = `update chat_reaction_counts c set changed_at = clock_timestamp(), counts = coalesce(
    (select jsonb_object_agg(reaction, given) from
      (select reaction, count(*) as given from chat_reactions r where r.room = c.room and r.seq = c.seq group by reaction) now), '{}')
  where (c.room, c.seq) in (select * from unnest($1::text[], $2::integer[]))`;

/** Takes their words and name out of every chat and its log, and their reactions. Done again it changes nothing more. */
export async function eraseFromChats(
  { pool, rooms, hub, clock }: { pool: Pool; rooms: Rooms; hub: Hub; clock: Pick<DatabaseClock, 'now'> },
  userId: number,
): Promise<void> {
  const { rows: written } = await pool.query<{ room: string; seqs: number[] }>(
    // Also where only a mute is left of them.
    `select room, coalesce((array_agg(seq order by seq desc) filter (where seq > 0))[1:${TOLD}], '{}') as seqs from (
       select room, seq from chat_messages where user_id = $1
       union all select room, 0 from chat_mutes where person = $2) theirs group by room`,
    [userId, `account:${userId}`],
  );
  for (const { room, seqs } of written) {
    await rooms.handle(
      room,
      { type: 'ErasePerson', userId, now: clock.now().toISOString() },
      // Each time anew: something may have been written since.
      { commandId: `erase person ${randomUUID()}` },
    );
    await publishChanges(hub, room, seqs);
  }
  await transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ room: string; seq: number }>(
      `select room, seq from chat_reaction_counts where (room, seq) in (select room, seq from chat_reactions where person = $1)
       order by room, seq for update`,
      [`account:${userId}`],
    );
    await tx.query('delete from chat_reactions where person = $1', [`account:${userId}`]);
    await tx.query(COUNTED, [rows.map(({ room }) => room), rows.map(({ seq }) => seq)]);
  });
}
