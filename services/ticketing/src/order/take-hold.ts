import { HoldBody, type Hold } from '@beltway/contracts/ticketing';
import { uuidFrom } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import type { Deps } from '../deps.ts';
import { assertMayOpen, idempotencyKeyIn } from './access.ts';
import { closePayment } from './close-payment.ts';
import { guestOfKey } from './guest-keys.ts';
import { holdTickets, orderIdFor } from './hold.ts';
import { orderById } from './queries.ts';

export interface HoldRequest {
  /** As it came, not checked. */
  body: unknown;
  /** The `Idempotency-Key` header as it came. */
  key: string | undefined;
  /** The key is the gateway's own: nobody else knows it. */
  gatewayKey?: boolean | undefined;
  caller: Caller | undefined;
  address: string | undefined;
  requestId: string;
}

/**
 * What `POST /api/holds` does, on both its ways in: holds 1 to 10 tickets for ten minutes. Throws what becomes 409 `sold-out`,
 * `all-held`, `not-enough-left`, `not-on-sale`, `too-many-holds`, `too-many-held`; with `replaces` also `already-paid`,
 * `payment-under-way`, `hold-gone`; 429 `too-many-held-here`. Guests may.
 */
export async function takeHold(
  deps: Deps,
  { body, key, gatewayKey, caller, address, requestId }: HoldRequest,
): Promise<Hold> {
  const { replaces, ...wish } = HoldBody.parse(body);
  const ownKey = gatewayKey ? undefined : idempotencyKeyIn(key);
  const orderId = gatewayKey ? uuidFrom(`order:gateway:${key}`) : orderIdFor(deps.ticketSecret, ownKey, caller);
  const guest = ownKey !== undefined && !caller ? { guest: guestOfKey(deps.ticketSecret, ownKey) } : {};
  let closed: { closedPaymentId?: string } = {};
  if (replaces) {
    const old = await orderById(deps.pool, replaces.orderId);
    if (old) {
      assertMayOpen(deps.ticketSecret, old, caller?.id, replaces.accessKey);
      closed = await closePayment(deps, old, requestId);
    }
  }
  return holdTickets(
    deps,
    { ...wish, ...guest, orderId, ...(replaces && { replaces: replaces.orderId }), ...closed },
    { caller, address, correlationId: requestId },
  );
}
