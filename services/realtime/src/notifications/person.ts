import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { erasuresOf } from '@beltway/kit/personal-data';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { OF_NOTIFICATIONS, OF_ORDERS } from '../personal-data.ts';
import { notificationMails } from './mails.ts';
import { preferencesOf } from './preferences.ts';
import { endpointsOf } from './push-subscriptions.ts';
import { notificationsOf } from './queries.ts';

/** A person's notifications, newest first. */
export async function notificationsPart(db: Queryable, userId: number): Promise<PersonPart> {
  const { items, nextCursor } = await notificationsOf(db, userId, {
    after: undefined,
    limit: MAX_EXPORTED,
    language: 'en',
  });
  return {
    notifications: items.map(({ kind, title, text, at, isRead }) => ({ kind, title, text, at, isRead })),
    preferences: await preferencesOf(db, userId),
    pushSubscriptions: await endpointsOf(db, userId),
    isComplete: nextCursor === null,
  };
}

/** Removes the person from the data of notifications. The person's orders stay as guest orders. Idempotent. */
export const eraseFromNotifications = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    for (const statement of erasuresOf(OF_NOTIFICATIONS)) await tx.query(statement, [userId]);
    // SQL text, because jobs are a table of the kit.
    await sql`delete from jobs where queue = ${notificationMails.name} and key >= ${`${userId}/`} and key < ${`${userId}/~`}`.execute(
      kysely(tx),
    );
    for (const statement of erasuresOf(OF_ORDERS)) await tx.query(statement, [userId]);
  });
