import { ago } from '@beltway/kit/kysely';
import { kysely, tables } from '../db.ts';
import type { PaymentDeps } from '../payment/actions.ts';
import { fromMetadata } from '../provider/metadata.ts';
import type { Intent } from '../provider/objects.ts';
import { paymentById } from '../payment/queries.ts';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { claim, failed, finished, type Pacing } from './tasks.ts';

const KIND = 'stray';
const BATCH = 5;
/** A request in progress records its intent within seconds after the provider created the intent. */
const SETTLED_MS = 120_000;
/** The provider deletes an idempotency key after a day. */
const KEPT = '25 hours';

/**
 * Orders for which creating an intent failed, although the intent may exist. The provider's search can lag by up to an
 * hour, so the search is repeated for three hours.
 */
const due = (afterMs: number) =>
  tables
    .selectFrom('intentAttempts')
    .select(['orderId as id', 'failedAt as since'])
    .where('failedAt', '<', ago(`${afterMs} ms`))
    .where('failedAt', '>', ago('3 hours'));

/**
 * Cancels intents of an order other than the recorded intent. The secrets of these intents were never returned. If such
 * an intent is paid anyway, the payment is refunded.
 */
export async function cancelStrays(deps: PaymentDeps, pacing: Pacing, afterMs = SETTLED_MS): Promise<number> {
  const { pool, provider, log } = deps;
  const tasks = await claim(pool, KIND, due(afterMs), BATCH, pacing);
  await Promise.all(
    tasks.map(async ({ id }) => {
      try {
        const found = await provider.intentsOf(id);
        const counted = (await paymentById(pool, id))?.payment?.paymentId;
        const before = (Date.now() - afterMs) / 1000;
        for (const intent of found)
          if (intent.id !== counted && intent.status !== 'canceled' && (intent.created ?? 0) < before)
            await cancelStray(deps, intent);
      } catch (error) {
        log.warn({ err: error, orderId: id }, 'orphaned intents of an order could not be searched');
        await failed(pool, KIND, id, error).catch(() => undefined);
      }
    }),
  );
  return tasks.length;
}

async function cancelStray({ provider, log }: PaymentDeps, intent: Intent): Promise<void> {
  const { id: paymentId, status } = await provider.cancel(intent.id);
  log.warn({ paymentId, status }, 'a second intent of an order was found');
  if (status !== 'succeeded') return;
  const terms = fromMetadata(intent.metadata, paymentId, intent.amount);
  const back =
    terms?.destination === undefined ? {} : ({ reverse_transfer: true, refund_application_fee: true } as const);
  if (terms) await provider.refund(terms, intent.amount, `beltway-stray-${paymentId}`, back);
  log.error({ paymentId, amountCents: intent.amount }, 'a second intent of an order was paid and is refunded');
}

/** Deletes orders whose keys the provider has deleted. */
export async function sweepAttempts({ pool }: Pick<PaymentDeps, 'pool'>): Promise<void> {
  const forgotten = await kysely(pool)
    .deleteFrom('intentAttempts')
    .where('failedAt', '<', ago(KEPT))
    .returning('orderId')
    .execute();
  for (const { orderId } of forgotten) await finished(pool, KIND, orderId);
}

export function startStrays(
  deps: PaymentDeps,
  pacing: Pacing = { pauseMs: 600_000, maxPauseMs: 3_600_000 },
  everyMs = 5_000,
): Poller {
  let sweptAt = Date.now();
  return startPolling(deps.log, 'stray intents', everyMs, async () => {
    await cancelStrays(deps, pacing);
    if (Date.now() - sweptAt > 3_600_000) {
      sweptAt = Date.now();
      await sweepAttempts(deps);
    }
    return false; // never continue immediately: the provider limits searches per second
  });
}
