import type { Request, Response } from 'express';
import { z } from 'zod';
import { notFound } from '@beltway/kit/problems';
import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import type { Deps } from '../deps.ts';
import type { Manager } from '../sale/events.ts';
import { orderById, type OrderRow } from './queries.ts';

/**
 * The secret of an order's link, which a guest sends instead of a token. The secret is derived, so it is not stored.
 * Each generation of the link has its own secret, so that a link can be revoked. Generation 0 is the link in the
 * response to the hold.
 */
export const accessKeyOf = (
  secrets: Secrets,
  { orderId, linkGeneration }: { orderId: string; linkGeneration: number },
): string =>
  keyedText(secrets, 'order-link', linkGeneration === 0 ? orderId : `${orderId}:${linkGeneration}`).slice(0, 32);

/** Whether a key is the order's access key, derived with any of the accepted secrets. */
export const isAccessKey = (
  secrets: Secrets,
  order: { orderId: string; linkGeneration: number },
  key: string | undefined,
): boolean => key !== undefined && acceptedBy(secrets, (secret) => sameText(key, accessKeyOf(secret, order)));

/** The link that opens an order without an account. */
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
  // The key is in the fragment, which browsers do not send to servers, so no server log contains the key.
  url.hash = new URLSearchParams({ key: accessKeyOf(secret, order) }).toString();
  return url.href;
};

/**
 * Authorizes the order's buyer or the holder of its link. Throws 404 for others, so that the response does not reveal
 * whether the order exists.
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

/** The order of the path parameter `orderId`. */
export async function orderOf({ pool }: Pick<Deps, 'pool'>, req: Request): Promise<OrderRow> {
  const order = await orderById(pool, z.uuid().parse(req.params['orderId']));
  if (!order) throw notFound('order');
  return order;
}

/**
 * The order of the path parameter `orderId`. Throws 404 unless the caller is the order's buyer, or sends its access key
 * in `x-order-key`.
 */
export async function openOrder(deps: Pick<Deps, 'pool' | 'ticketSecret'>, req: Request): Promise<OrderRow> {
  const order = await orderOf(deps, req);
  assertMayOpen(deps.ticketSecret, order, req.caller?.id, req.get('x-order-key'));
  return order;
}

/**
 * The role in which the caller may manage the order: the event's organizer, or an admin. null for all other callers.
 */
export function managerRole({ caller }: Request, { organizerId }: Pick<OrderRow, 'organizerId'>): Manager | null {
  if (!caller) return null;
  if (organizerId === caller.id) return 'organizer';
  return caller.role === 'admin' ? 'admin' : null;
}

/**
 * The caller's role, for routes that only organizers and admins may call. Throws 404 for others, as if the order did
 * not exist.
 */
export function managerOf(req: Request, order: Pick<OrderRow, 'organizerId'>): Manager {
  const role = managerRole(req, order);
  if (role === null) throw notFound('order');
  return role;
}

/** Prevents caching of the response, and keeps its URL out of the referrer that other sites receive. */
export const secretAnswer = (res: Response): Response =>
  res.set({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
