import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { ContactBody, ContactMessage, ContactQuery } from '@beltway/contracts/identity/contact';
import { fingerprintOf } from '@beltway/event-store';
import type { RowOf } from '@beltway/kit/columns';
import { enqueue } from '@beltway/kit/jobs';
import { ago, countRows, insertIf } from '@beltway/kit/kysely';
import { once } from '@beltway/kit/once';
import { transaction } from '@beltway/kit/postgres';
import { unavailable } from '@beltway/kit/problems';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { contactMessages } from '../generated/tables.ts';
import { contactMails } from './mail.ts';

/** Maximum messages per day over all senders. Even many senders cannot fill the disk or the team's mailbox. */
const MAX_PER_DAY = 1_000;

const COLUMNS = ['id', 'email', 'phone', 'comments', 'createdAt', 'answeredAt'] as const;
type Row = Pick<RowOf<typeof contactMessages>, (typeof COLUMNS)[number]>;

const asMessage = (row: Row): ContactMessage => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  answeredAt: row.answeredAt?.toISOString() ?? null,
});

/**
 * Stores a message. `isMailed`: support gets a mail about it. Idempotent by key. Throws `CommandReused` when the key
 * belongs to a different message, 503 when the daily limit is reached.
 */
export async function keepMessage(
  pool: Pool,
  body: ContactBody,
  { key, isMailed }: { key: string | undefined; isMailed: boolean },
): Promise<void> {
  const request = { userId: 0, kind: 'contact', key, fingerprint: fingerprintOf(body) };
  await transaction(pool, (tx) =>
    once(tx, request, async () => {
      const id = randomUUID();
      const row = { id, email: body.email, phone: body.phone || null, comments: body.comments };
      const today = kysely(tx).selectFrom('contactMessages').select(countRows).where('createdAt', '>', ago('1 day'));
      const { numInsertedOrUpdatedRows: written } = await insertIf(
        ...([kysely(tx), 'contactMessages', contactMessages, row, sql<boolean>`(${today}) < ${MAX_PER_DAY}`] as const),
      ).executeTakeFirstOrThrow();
      if (written === 0n) throw unavailable('contact-full');
      if (isMailed) await enqueue(tx, contactMails, [{ key: id, data: {} }]);
      return 0;
    }),
  );
}

/** A page of messages, newest first. For an unknown cursor the page is empty. */
export async function listMessages(
  pool: Pool,
  { status, cursor, limit }: z.infer<typeof ContactQuery>,
): Promise<{ items: ContactMessage[]; nextCursor: string | null }> {
  const rows = await kysely(pool)
    .selectFrom('contactMessages')
    .select(COLUMNS)
    .$if(status !== 'all', (query) => query.where('answeredAt', status === 'open' ? 'is' : 'is not', null))
    .$if(cursor !== undefined, (query) =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('createdAt', 'id'),
          '<',
          selectFrom('contactMessages')
            .select(['createdAt', 'id'])
            .where('id', '=', cursor!)
            .$asTuple('createdAt', 'id'),
        ),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(asMessage);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/**
 * Marks a message as answered or as open. Returns undefined if the message does not exist. Marking it as answered again
 * keeps the first time.
 */
export async function markAnswered(
  pool: Pool,
  id: string,
  { answered, adminId }: { answered: boolean; adminId: number },
): Promise<ContactMessage | undefined> {
  const marked = await kysely(pool)
    .updateTable('contactMessages')
    .set(({ fn, val }) =>
      answered
        ? {
            answeredAt: fn.coalesce('answeredAt', sql<Date>`now()`),
            answeredBy: fn.coalesce('answeredBy', val(adminId)),
          }
        : { answeredAt: null, answeredBy: null },
    )
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return marked && asMessage(marked);
}
