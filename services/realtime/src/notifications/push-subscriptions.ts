import { ECDH } from 'node:crypto';
import { SessionRevokedV1 } from '@beltway/contracts/identity/accounts';
import type { PushRenewalBody, PushSubscriptionBody } from '@beltway/contracts/realtime/notifications';
import type { Caller } from '@beltway/kit/auth';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import { lockKey } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { badField, HttpProblem, unauthenticated } from '@beltway/kit/problems';
import { sameText } from '@beltway/kit/secrets';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

/** Maximum browsers of an account. If there are more, the oldest are deleted. */
export const MAX_SUBSCRIPTIONS = 10;

/** Throws 400 at `field` for a key that cannot be used for encryption. */
function checkKey(p256dh: string, field: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    throw badField(field, 'invalid.push-point');
  }
}

/**
 * Serializes the end of a session and the registration of a browser, so that whichever comes second sees the effect of
 * the first.
 */
const inTurn = (tx: Queryable, sessionId: string) => lockKey(tx, `push ${sessionId}`);

/**
 * Makes this browser show notifications of this account only, while the session lasts. A repeat changes nothing. Throws
 * 400 at `keys.p256dh` for a key that cannot be used for encryption, 401 for an ended session.
 */
export async function subscribe(pool: Pool, caller: Caller, { endpoint, keys }: PushSubscriptionBody): Promise<void> {
  const { p256dh, auth } = keys;
  checkKey(p256dh, 'keys.p256dh');
  const { id: userId, sessionId } = caller;
  await transaction(pool, async (tx) => {
    const db = kysely(tx);
    await inTurn(tx, sessionId);
    const ended = await db.selectFrom('endedSessions').select('id').where('id', '=', sessionId).executeTakeFirst();
    if (ended) throw unauthenticated('session-ended');
    // When the row is deleted, pending pushes for another account or for other keys are deleted with it.
    await db
      .deleteFrom('pushSubscriptions')
      .where('endpoint', '=', endpoint)
      .where(({ not, and }) => not(and({ userId, sessionId, p256dh, auth })))
      .execute();
    await db
      .insertInto('pushSubscriptions')
      .values({ userId, sessionId, endpoint, p256dh, auth })
      .onConflict((conflict) => conflict.column('endpoint').doNothing())
      .execute();
    const kept = db
      .selectFrom('pushSubscriptions')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('id', 'desc')
      .limit(MAX_SUBSCRIPTIONS);
    await db.deleteFrom('pushSubscriptions').where('userId', '=', userId).where('id', 'not in', kept).execute();
  });
}

/**
 * Replaces a browser's subscription and keeps its pending pushes. A repeat changes nothing. Throws 400 like
 * `subscribe`, and 404 when the old subscription is unknown or `auth` is not its secret.
 */
export async function renew(pool: Pool, { endpoint, auth, subscription }: PushRenewalBody): Promise<void> {
  const { keys } = subscription;
  checkKey(keys.p256dh, 'subscription.keys.p256dh');
  const renewed = { endpoint: subscription.endpoint, p256dh: keys.p256dh, auth: keys.auth };
  await transaction(pool, async (tx) => {
    const db = kysely(tx);
    const rows = await db
      .selectFrom('pushSubscriptions')
      .select(['id', 'auth'])
      .where('endpoint', '=', endpoint)
      .forUpdate()
      .execute();
    const [old] = rows.filter((row) => sameText(row.auth, auth));
    if (!old) {
      const is = await db
        .selectFrom('pushSubscriptions')
        .select('id')
        .where(({ and }) => and(renewed))
        .executeTakeFirst();
      if (is) return;
      throw new HttpProblem(404, 'not-found.subscription');
    }
    await db
      .deleteFrom('pushSubscriptions')
      .where('endpoint', '=', renewed.endpoint)
      .where('id', '<>', old.id)
      .execute();
    await db.updateTable('pushSubscriptions').set(renewed).where('id', '=', old.id).execute();
  });
}

/** Removes a browser; a repeat changes nothing. */
export const unsubscribeDevice = (db: Queryable, userId: number, endpoint: string) =>
  kysely(db).deleteFrom('pushSubscriptions').where('userId', '=', userId).where('endpoint', '=', endpoint).execute();

/** The browsers of an account, identified by the URLs of their push services. */
export async function endpointsOf(db: Queryable, userId: number): Promise<string[]> {
  const rows = await kysely(db)
    .selectFrom('pushSubscriptions')
    .select('endpoint')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ endpoint }) => endpoint);
}

/** Longer than any token is valid: after this time, every service refuses the session anyway. */
const ENDED_MS = 24 * 3_600_000;

/** Deletes ended sessions whose tokens have all expired. */
export const dropEnded = (db: Queryable, now: Date) =>
  kysely(db)
    .deleteFrom('endedSessions')
    .where('endedAt', '<', new Date(now.getTime() - ENDED_MS))
    .execute();

/**
 * Removes the browsers of a session when that session or all sessions of the account end. A concurrent call cannot add
 * a browser.
 */
export const followSessions = ({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Promise<Subscription> =>
  consume({
    ...{ pool, bus, log, group: 'realtime.sessions', topics: ['identity.events'] },
    handlers: {
      'identity.session-revoked': onRepeatable(SessionRevokedV1, async ({ data }) => {
        await transaction(pool, async (tx) => {
          await inTurn(tx, data.sessionId);
          await kysely(tx)
            .insertInto('endedSessions')
            .values({ id: data.sessionId })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute();
          await kysely(tx).deleteFrom('pushSubscriptions').where('sessionId', '=', data.sessionId).execute();
        });
      }),
    },
  });
