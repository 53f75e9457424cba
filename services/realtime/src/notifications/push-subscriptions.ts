import { ECDH } from 'node:crypto';
import { SessionRevokedV1 } from '@beltway/contracts/identity/accounts';
import type { PushRenewalBody, PushSubscriptionBody } from '@beltway/contracts/realtime/notifications';
import type { Caller } from '@beltway/kit/auth';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { badField, HttpProblem, unauthenticated } from '@beltway/kit/problems';
import { sameText } from '@beltway/kit/secrets';
import type { Pool } from 'pg';

/** Browsers of one account; of more the oldest are forgotten. */
export const MAX_SUBSCRIPTIONS = 10;

const SURPLUS = `delete from push_subscriptions where user_id = $1 and id not in
  (select id from push_subscriptions where user_id = $1 order by id desc limit ${MAX_SUBSCRIPTIONS})`;

/** Throws 400 at `field` for a key that nothing can be encrypted for. */
function checkKey(p256dh: string, field: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    throw badField(field, 'invalid.push-point');
  }
}

/** A session ends and gets a browser one after the other: whichever is second sees the first. */
const inTurn = (tx: Queryable, sessionId: string) =>
  tx.query(`select pg_advisory_xact_lock(hashtextextended('push ' || $1, 0))`, [sessionId]);

/**
 * From now on this browser shows notifications of the account, as long as the session lasts, and of no other account. A repeat changes
 * nothing. Throws 400 at `keys.p256dh` for a key that nothing can be encrypted for, 401 for a session that has ended.
 */
export async function subscribe(pool: Pool, caller: Caller, { endpoint, keys }: PushSubscriptionBody): Promise<void> {
  const { p256dh, auth } = keys;
  checkKey(p256dh, 'keys.p256dh');
  const values = [caller.id, caller.sessionId, endpoint, p256dh, auth];
  await transaction(pool, async (tx) => {
    await inTurn(tx, caller.sessionId);
    const ended = await tx.query('select from ended_sessions where id = $1', [caller.sessionId]);
    if (ended.rowCount) throw unauthenticated('session-ended');
    // What waits for another account, or by other keys, goes with the row.
    await tx.query(
      `delete from push_subscriptions where endpoint = $3 and (user_id, session_id, p256dh, auth) is distinct from ($1, $2::uuid, $4, $5)`,
      values,
    );
    await tx.query(
      `insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth) values ($1, $2, $3, $4, $5)
       on conflict (endpoint) do nothing`,
      values,
    );
    await tx.query(SURPLUS, [caller.id]);
  });
}

/**
 * Puts a browser's new subscription in the place of its old one, with all that waits for it. A repeat changes nothing. Throws 400 as
 * `subscribe` does, and 404 for an old one that nobody has or another secret than its own.
 */
export async function renew(pool: Pool, { endpoint, auth, subscription }: PushRenewalBody): Promise<void> {
  const { keys } = subscription;
  checkKey(keys.p256dh, 'subscription.keys.p256dh');
  const values = [subscription.endpoint, keys.p256dh, keys.auth];
  await transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; auth: string }>(
      'select id, auth from push_subscriptions where endpoint = $1 for update',
      [endpoint],
    );
    const [old] = rows.filter((row) => sameText(row.auth, auth));
    if (!old) {
      const is = await tx.query(
        'select from push_subscriptions where endpoint = $1 and p256dh = $2 and auth = $3',
        values,
      );
      if (is.rowCount) return;
      throw new HttpProblem(404, 'not-found.subscription');
    }
    await tx.query('delete from push_subscriptions where endpoint = $1 and id <> $2', [subscription.endpoint, old.id]);
    await tx.query('update push_subscriptions set endpoint = $1, p256dh = $2, auth = $3 where id = $4', [
      ...values,
      old.id,
    ]);
  });
}

/** A repeat changes nothing. */
export const unsubscribeDevice = (db: Queryable, userId: number, endpoint: string) =>
  db.query('delete from push_subscriptions where user_id = $1 and endpoint = $2', [userId, endpoint]);

/** The browsers of an account, by the addresses of their push services. */
export async function endpointsOf(db: Queryable, userId: number): Promise<string[]> {
  const { rows } = await db.query<{ endpoint: string }>(
    'select endpoint from push_subscriptions where user_id = $1 order by id',
    [userId],
  );
  return rows.map(({ endpoint }) => endpoint);
}

/** Tokens end long before: then a session that ended is refused by everybody. */
const ENDED_HOURS = 24;

/** Forgets sessions that ended so long ago that nobody has a token of them. */
export const dropEnded = (db: Queryable, now: Date) =>
  db.query(`delete from ended_sessions where ended_at < $1::timestamptz - interval '${ENDED_HOURS} hours'`, [now]);

/**
 * Who signs out, anywhere or everywhere, leaves no browser behind that shows what is theirs; nor does a call that was let in just before.
 */
export const followSessions = ({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Promise<Subscription> =>
  consume({
    ...{ pool, bus, log, group: 'realtime.sessions', topics: ['identity.events'] },
    handlers: {
      'identity.session-revoked': onRepeatable(SessionRevokedV1, async ({ data }) => {
        await transaction(pool, async (tx) => {
          await inTurn(tx, data.sessionId);
          await tx.query('insert into ended_sessions (id) values ($1) on conflict (id) do nothing', [data.sessionId]);
          await tx.query('delete from push_subscriptions where session_id = $1', [data.sessionId]);
        });
      }),
    },
  });
