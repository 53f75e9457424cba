import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import type { DatabaseClock } from './database-clock.ts';
import { publishChanges } from './hub/peers.ts';
import type { Hub } from './hub/state.ts';
import type { Rooms } from './stream.ts';

/** The reactions of a person in chats, newest first. */
export async function reactionsPart(db: Queryable, userId: number): Promise<PersonPart> {
  const reactions = await kysely(db)
    .selectFrom('chatReactions')
    .select(['room', 'seq', 'reaction', 'givenAt'])
    .where('person', '=', `account:${userId}`)
    .orderBy('givenAt', 'desc')
    .limit(MAX_EXPORTED)
    .execute();
  return { reactions, isComplete: reactions.length < MAX_EXPORTED };
}

/**
 * Maximum number of a person's messages in a room whose removal is sent to pages. For older messages, a page notices
 * the removal when it requests them.
 */
const TOLD = 200;

/** Removes the person's texts, name and reactions from every chat and from its log. Idempotent. */
export async function eraseFromChats(
  { pool, rooms: streams, hub, clock }: { pool: Pool; rooms: Rooms; hub: Hub; clock: Pick<DatabaseClock, 'now'> },
  userId: number,
): Promise<void> {
  const person = `account:${userId}`;
  // Includes rooms that only have a mute of the person. SQL text, because the query builder cannot slice an array.
  const { rows: written } = await sql<{ room: string; seqs: number[] }>`
    select room, coalesce((array_agg(seq order by seq desc) filter (where seq > 0))[1:${sql.lit(TOLD)}], '{}') as seqs from (
      select room, seq from chat_messages where user_id = ${userId}
      union all select room, 0 from chat_mutes where person = ${person}) theirs group by room`.execute(kysely(pool));
  for (const { room, seqs } of written) {
    await streams.handle(
      room,
      { type: 'ErasePerson', userId, now: clock.now().toISOString() },
      // A new command id for each run, because the person may have written since the last run.
      { commandId: `erase person ${randomUUID()}` },
    );
    await publishChanges(hub, room, seqs);
  }
  await transaction(pool, async (tx) => {
    const db = kysely(tx);
    const theirs = db.selectFrom('chatReactions').select(['room', 'seq']).where('person', '=', person);
    const rows = await db
      .selectFrom('chatReactionCounts')
      .select(['room', 'seq'])
      .where(({ eb, refTuple }) => eb(refTuple('room', 'seq'), 'in', theirs.$asTuple('room', 'seq')))
      .orderBy(['room', 'seq'])
      .forUpdate()
      .execute();
    await db.deleteFrom('chatReactions').where('person', '=', person).execute();
    const [rooms, seqs] = [rows.map(({ room }) => room), rows.map(({ seq }) => seq)];
    // SQL text, because the query builder has no JSON functions.
    await sql`update chat_reaction_counts c set changed_at = clock_timestamp(), counts = coalesce(
        (select jsonb_object_agg(reaction, given) from (select reaction, count(*) as given from chat_reactions r
          where r.room = c.room and r.seq = c.seq group by reaction) now), '{}')
      where (c.room, c.seq) in (select * from unnest(${rooms}::text[], ${seqs}::integer[]))`.execute(db);
  });
}
