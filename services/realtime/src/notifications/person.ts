import type { Pool } from 'pg';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { notificationMails } from './mails.ts';
import { preferencesOf } from './preferences.ts';
import { endpointsOf } from './push-subscriptions.ts';
import { notificationsOf } from './queries.ts';

/** Of those that it has something of. */
export const HIGHEST_ACCOUNT = `select greatest((select max(user_id) from notifications), (select max(buyer_id) from noted_orders),
  (select max(owner_id) from noted_events), (select max(user_id) from notification_preferences),
  (select max(user_id) from push_subscriptions)) as highest`;

/** Their notifications, the newest first. */
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

/** Takes the person out of what notifications are made of; their orders stay as a guest's. Done again it changes nothing more. */
export const eraseFromNotifications = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    for (const table of ['notifications', 'notification_preferences', 'push_subscriptions'])
      await tx.query(`delete from ${table} where user_id = $1`, [userId]);
    await tx.query(`delete from jobs where queue = $1 and key >= $2 and key < $2 || '~'`, [
      notificationMails.name,
      `${userId}/`,
    ]);
    await tx.query('update noted_orders set buyer_id = null where buyer_id = $1', [userId]);
  });
