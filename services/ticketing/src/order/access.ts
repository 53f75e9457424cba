import type { Request } from 'express';
import { keyedText, sameText } from '@beltway/kit/secrets';
import { HttpProblem, notFound } from '@beltway/kit/problems';

/**
 * The secret of an order's link: a guest shows it instead of a token. Derived, so nothing is stored. Each generation has another
 * one, so that a link can be revoked; generation 0 is the link that the hold was answered with.
 */
export const accessKeyOf = (
  secret: string,
  { orderId, linkGeneration }: { orderId: string; linkGeneration: number },
): string =>
  keyedText(secret, 'order-link', linkGeneration === 0 ? orderId : `${orderId}:${linkGeneration}`).slice(0, 32);

/** The `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header), if sent. */
export const idempotencyKey = (req: Request): string | undefined => idempotencyKeyIn(req.get('idempotency-key'));

export function idempotencyKeyIn(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{8,128}$/.test(key)) throw badKey('must be 8 to 128 visible characters');
  return key;
}

export const badKey = (message: string): HttpProblem =>
  new HttpProblem(400, 'invalid', `Idempotency-Key ${message}.`, { errors: [{ field: 'Idempotency-Key', message }] });

/**
 * Lets the order's buyer or the holder of its link through. To anybody else the order does not exist: the answer tells nothing.
 */
export function assertMayOpen(
  secret: string,
  order: { orderId: string; buyerId: number | null; linkGeneration: number },
  callerId: number | undefined,
  key: string | undefined,
): void {
  if (order.buyerId !== null && order.buyerId === callerId) return;
  if (key !== undefined && sameText(key, accessKeyOf(secret, order))) return;
  throw notFound('This order');
}
