import type { Request, Response } from 'express';
import { z } from 'zod';
import { notFound } from '@beltway/kit/problems';
import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import type { Deps } from '../deps.ts';
import { orderById, type OrderRow } from './queries.ts';

/**
 * The secret of an order's link: a guest shows it instead of a token. Derived, so nothing is stored. Each generation
 * has another one, so that a link can be revoked; generation 0 is the link that the hold was answered with.
 */
export const accessKeyOf = (
  secrets: Secrets,
  { orderId, linkGeneration }: { orderId: string; linkGeneration: number },
): string =>
  keyedText(secrets, 'order-link', linkGeneration === 0 ? orderId : `${orderId}:${linkGeneration}`).slice(0, 32);

/** Whether a key is the order's, as one of the secrets makes it. */
export const isAccessKey = (
  secrets: Secrets,
  order: { orderId: string; linkGeneration: number },
  key: string | undefined,
): boolean => key !== undefined && acceptedBy(secrets, (secret) => sameText(key, accessKeyOf(secret, order)));

/** Opens an order without an account: the secret travels in the link of the mail and nowhere else. */
export const orderLink = (
  publicUrl: string,
  secret: Secrets,
  order: { orderId: string; linkGeneration: number; eventId: number; quantity: number },
): string => {
  const url = new URL('/ticket-success', publicUrl);
  url.search = new URLSearchParams({
    eventId: String(order.eventId),
    quantity: String(order.quantity),
    orderId: order.orderId,
  }).toString();
  // Behind the #, which browsers send to no server: what is logged on the way holds no key.
  url.hash = new URLSearchParams({ key: accessKeyOf(secret, order) }).toString();
  return url.href;
};

/**
 * Lets the order's buyer or the holder of its link through. To anybody else the order does not exist: the answer tells
 * nothing.
 */
export function assertMayOpen(
  secrets: Secrets,
  order: { orderId: string; buyerId: number | null; linkGeneration: number },
  callerId: number | undefined,
  key: string | undefined,
): void {
  if (order.buyerId !== null && order.buyerId === callerId) return;
  if (isAccessKey(secrets, order, key)) return;
  throw notFound('order');
}

/** The order that a path names by `orderId`. */
export async function orderOf({ pool }: Pick<Deps, 'pool'>, req: Request): Promise<OrderRow> {
  const order = await orderById(pool, z.uuid().parse(req.params['orderId']));
  if (!order) throw notFound('order');
  return order;
}

/** The same, for its buyer or whoever sends its access key as `x-order-key`. */
export async function openOrder(deps: Pick<Deps, 'pool' | 'ticketSecret'>, req: Request): Promise<OrderRow> {
  const order = await orderOf(deps, req);
  assertMayOpen(deps.ticketSecret, order, req.caller?.id, req.get('x-order-key'));
  return order;
}

/** No cache keeps the answer, and no other site learns its address. */
export const secretAnswer = (res: Response): Response =>
  res.set({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
