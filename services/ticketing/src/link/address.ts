import { sql } from 'kysely';
import type { Pool } from 'pg';
import { CommandReused, fingerprintOf } from '@beltway/event-store';
import { DAY_S, ofAccount, tooMuch, type Allowance } from '@beltway/kit/allowances';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { Rejected } from '@beltway/kit/rejected';
import { kysely } from '../db.ts';
import type { Deps } from '../deps.ts';
import { correctedTickets, mailJob, orderMails } from '../mail/queue.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import { isPaid } from '../order/status.ts';
import type { Manager } from '../sale/events.ts';
import { linkCommand } from './command.ts';

/** A correction of an order's email address. It is stored in its queue until it is complete. */
export interface Correction {
  email: string;
  accountId: number;
  role: Manager;
  correlationId?: string;
}

/**
 * Keys are order ids. The route completes corrections itself; the worker runs only those that a crash or an outage
 * interrupted.
 */
const corrections: Queue<Correction> = {
  name: 'address-correction',
  maxAttempts: 20,
  pauseMs: backoff(5_000, 3_600_000),
  leaseSeconds: 60,
  concurrency: 1,
  keepsDone: false,
};
/** The route has this many seconds to complete a correction before the worker repeats it. */
const GRACE_S = 30;

/**
 * Corrections are limited, because each correction mails tickets to an email address that an organizer or admin
 * chooses.
 */
const OF_ORDER: Allowance = { name: 'corrected-addresses-order', max: 5, perSeconds: DAY_S };
const OF_MANAGER: Allowance = { name: 'corrected-addresses', max: 50, perSeconds: DAY_S };

const isSame = ({ holderEmail }: OrderRow, email: string): boolean =>
  holderEmail?.toLowerCase() === email.toLowerCase();

type CorrectionDeps = Pick<Deps, 'pool' | 'sales' | 'log'>;

/**
 * Corrects the email address of a paid order: revokes its link, sends a notice to the old email address, and mails the
 * tickets to the new email address. Does nothing if both are equal. Throws `Rejected` `not-bought`, `buyer-erased`; 429
 * `too-many-corrections`.
 */
export async function correctAddress(deps: Deps, order: OrderRow, correction: Correction): Promise<void> {
  const { orderId, status, holderEmail } = order;
  if (!isPaid(status)) throw new Rejected('not-bought');
  if (!holderEmail) throw new Rejected('buyer-erased');
  if (isSame(order, correction.email)) return;
  const { accountId, role, correlationId: requestId } = correction;
  const wait = await deps.allowances.take([
    { allowance: OF_ORDER, of: `order:${orderId}`, amount: 1 },
    ofAccount(OF_MANAGER, accountId, 1),
  ]);
  if (wait > 0) throw tooMuch('too-many-corrections', wait);
  if (role === 'admin')
    await deps.identity.post('/internal/audit', {
      ...{ accountId, kind: 'order-address-corrected', subject: orderId },
      ...(requestId !== undefined && { requestId: requestId.slice(0, 64) }),
    });
  await enqueue(deps.pool, corrections, [{ key: orderId, data: correction, afterSeconds: GRACE_S }], { again: true });
  await finish(deps, orderId, correction);
}

/**
 * Revokes the link before writing the email address, so that no holder of the old link sees the new email address. Can
 * be repeated, even concurrently: only the run that replaces the email address queues the mails.
 */
async function finish(deps: CorrectionDeps, orderId: string, correction: Correction): Promise<void> {
  for (let tries = 1; ; tries++) {
    const order = await orderById(deps.pool, orderId);
    if (!order?.holderEmail || isSame(order, correction.email)) break;
    const generation = await endLink(deps, order, correction);
    if (generation !== null && (await replace(deps.pool, order, correction, generation))) return;
    if (tries === MAX_TRIES) throw new Error(`the address of order ${orderId} keeps changing`);
  }
  await forget(deps.pool, orderId, correction);
}

/** Limits retries after concurrent changes of the order: a claim, a new link, another correction. */
const MAX_TRIES = 5;

/**
 * Revokes the current link and returns the generation of the new link. null: another command revoked the link first,
 * and someone else may have received the new link of that command.
 */
async function endLink(
  { sales }: CorrectionDeps,
  { orderId, eventId, linkGeneration, holderEmail }: OrderRow,
  { email, accountId, role, correlationId }: Correction,
): Promise<number | null> {
  const next = linkGeneration + 1;
  try {
    await sales.handle(
      eventId,
      { type: 'RenewLink', orderId, linkGeneration: next, correctedBy: role },
      {
        commandId: linkCommand(orderId, next),
        fingerprint: fingerprintOf(['correct', holderEmail, email]),
        userId: accountId,
        ...(correlationId !== undefined && { correlationId }),
      },
    );
    return next;
  } catch (error) {
    if (error instanceof CommandReused) return null;
    throw error;
  }
}

/** Replaces the email address. Returns false if another call has replaced it or the buyer was erased. */
const replace = (
  pool: Pool,
  { orderId, holderEmail, status, frozen, isVoid }: OrderRow,
  { email }: Correction,
  generation: number,
): Promise<boolean> =>
  transaction(pool, async (tx) => {
    const { numUpdatedRows } = await kysely(tx)
      .updateTable('checkouts')
      .set({ holderEmail: email })
      .where('orderId', '=', orderId)
      .where('holderEmail', '=', holderEmail!)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const hasCodes = status === 'fulfilled' && !frozen && !isVoid;
    await enqueue(tx, orderMails, [
      mailJob(orderId, `address-corrected:${generation}`, { data: { to: holderEmail! } }),
      ...(hasCodes ? [mailJob(orderId, correctedTickets(generation))] : []),
    ]);
    if (!hasCodes) await enqueue(tx, orderMails, [mailJob(orderId, 'new-link')], { again: true });
    await forget(tx, orderId, { email });
    return true;
  });

/** Deletes the job of this correction. If the order has a later correction, the job of that correction stays. */
const forget = (db: Queryable, orderId: string, { email }: Pick<Correction, 'email'>) =>
  kysely(db)
    .deleteFrom('jobs')
    .where('queue', '=', corrections.name)
    .where('key', '=', orderId)
    .where(sql<string>`data->>'email'`, '=', email)
    .execute();

/**
 * Whether no correction is in progress. Between the two steps of a correction, a mail would send the new link to the
 * old email address.
 */
export async function isSettled(db: Queryable, { orderId, holderEmail, linkGeneration }: OrderRow): Promise<boolean> {
  const row = await kysely(db)
    .selectFrom('orders as o')
    .innerJoin('checkouts as c', 'c.orderId', 'o.orderId')
    .select('o.orderId')
    .where('o.orderId', '=', orderId)
    .where('o.linkGeneration', '=', linkGeneration)
    .where('c.holderEmail', '=', holderEmail ?? '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('jobs').select('jobs.key').where('queue', '=', corrections.name).where('key', '=', orderId)),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Finishes corrections that a crash or an outage interrupted. */
export const startCorrections = (deps: CorrectionDeps): Worker =>
  startQueue(deps, corrections, ({ key, data }) => finish(deps, key, data));
