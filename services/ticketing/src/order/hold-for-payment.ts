import { uuidFrom, uuids } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { holdTickets, orderIdFor, type Asker } from './hold.ts';
import { orderById, type OrderRow } from './queries.ts';

/** An outage of the card provider is over before a page has tried a key this often. */
const MOST_ATTEMPTS = 32;

/** The id of the command that gives an order's hold back for want of a way to pay. */
export const unavailableCommand = (orderId: string) => `payment-unavailable:${orderId}`;

/**
 * Holds tickets for whoever asks for an intent under this key, or finds the order that was made under it before. An order that ended
 * because payments could not be had stays ended; the key goes on to the next one, the same for all who repeat it at the same time.
 */
export async function holdForPayment(
  deps: Deps,
  body: { eventId: number; quantity: number; guest?: string },
  key: string | undefined,
  asker: Asker,
): Promise<OrderRow> {
  const { caller } = asker;
  for (let attempt = 0; ;) {
    const orderId = orderIdFor(deps.ticketSecret, key, caller, attempt);
    await holdTickets(deps, { ...body, orderId }, asker);
    const order = await orderById(deps.pool, orderId);
    if (!order) throw notFound('This order');
    if (key === undefined || order.status !== 'released') return order;
    const next = await firstAlive(deps, key, caller);
    // It was released in another way, or nothing is left to try.
    if (next <= attempt) return order;
    attempt = next;
  }
}

/** The first attempt under this key that did not end for want of a way to pay. */
async function firstAlive({ pool, ticketSecret }: Deps, key: string, caller: Caller | undefined): Promise<number> {
  const commands = Array.from({ length: MOST_ATTEMPTS }, (_, attempt) =>
    uuidFrom(unavailableCommand(orderIdFor(ticketSecret, key, caller, attempt))),
  );
  const { rows } = await pool.query<{ command_id: string }>({
    name: 'attempts-under-a-key',
    text: 'select command_id from events where command_id = any($1)',
    values: [uuids(commands)],
  });
  const ended = new Set(rows.map(({ command_id }) => command_id));
  return commands.findIndex((id) => !ended.has(id));
}
