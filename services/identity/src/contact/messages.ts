import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { ContactBody, ContactMessage, ContactQuery } from '@beltway/contracts/identity/contact';
import { fingerprintOf } from '@beltway/event-store';
import { enqueue } from '@beltway/kit/jobs';
import { once } from '@beltway/kit/once';
import { transaction } from '@beltway/kit/postgres';
import { unavailable } from '@beltway/kit/problems';
import { contactMails } from './mail.ts';

/** From all addresses together, so that many of them cannot fill the disk or the team's mailbox. */
const MAX_PER_DAY = 1_000;

const COLUMNS = `id, email, phone, comments, created_at as "createdAt", answered_at as "answeredAt"`;
type Row = Omit<ContactMessage, 'createdAt' | 'answeredAt'> & { createdAt: Date; answeredAt: Date | null };

const asMessage = (row: Row): ContactMessage => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  answeredAt: row.answeredAt?.toISOString() ?? null,
});

/**
 * Keeps a message; `isMailed`: support gets a mail of it. The same key keeps it once. Throws `CommandReused` when the key belongs to another
 * message, 503 when today's are too many.
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
      const { rowCount } = await tx.query(
        `insert into contact_messages (id, email, phone, comments)
         select $1, $2, $3, $4
         where (select count(*) from contact_messages where created_at > now() - interval '1 day') < $5`,
        [id, body.email, body.phone || null, body.comments, MAX_PER_DAY],
      );
      if (rowCount === 0) throw unavailable('contact-full');
      if (isMailed) await enqueue(tx, contactMails, [{ key: id, data: {} }]);
      return 0;
    }),
  );
}

/** A page of messages, newest first. A cursor that names no message gives nothing. */
export async function listMessages(
  pool: Pool,
  { status, cursor, limit }: z.infer<typeof ContactQuery>,
): Promise<{ items: ContactMessage[]; nextCursor: string | null }> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} from contact_messages
     where ($1 = 'all' or (answered_at is null) = ($1 = 'open'))
       and ($2::uuid is null or (created_at, id) < (select created_at, id from contact_messages where id = $2::uuid))
     order by created_at desc, id desc limit $3`,
    [status, cursor ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map(asMessage);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** Says that a message was answered, or that it was not after all; undefined if there is none. Said twice, the first time stands. */
export async function markAnswered(
  pool: Pool,
  id: string,
  { answered, adminId }: { answered: boolean; adminId: number },
): Promise<ContactMessage | undefined> {
  const { rows } = await pool.query<Row>(
    `update contact_messages
     set answered_at = case when $2 then coalesce(answered_at, now()) end,
         answered_by = case when $2 then coalesce(answered_by, $3) end
     where id = $1 returning ${COLUMNS}`,
    [id, answered, adminId],
  );
  return rows[0] && asMessage(rows[0]);
}
