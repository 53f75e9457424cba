import type { Evidence, Violation } from './evidence.ts';

const ORDER = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const MOST_ORDERS = 3;
const MOST_CHARACTERS = 300;

/**
 * Returns all facts about the orders of the first violations, oldest first. Helps to examine a run whose data folder
 * was deleted.
 */
export function trailOf({ ticketing, payments, bank, rows }: Evidence, violations: Violation[]): string[] {
  const orders = [...new Set(violations.flatMap(({ what }) => ORDER.exec(what)?.[0] ?? []))].slice(0, MOST_ORDERS);
  return orders.flatMap((orderId) => {
    const events = [...ticketing, ...payments]
      .filter(({ stream, correlationId, data }) =>
        [stream, correlationId, data['orderId']].some((of) => typeof of === 'string' && of.includes(orderId)),
      )
      .sort((one, other) => one.occurredAt - other.occurredAt)
      .map(
        ({ stream, version, type, occurredAt, data }) =>
          `${new Date(occurredAt).toISOString()} ${stream} ${version} ${type} ${JSON.stringify(data)}`,
      );
    const booked = rows.ledger
      .filter(({ paymentId }) => paymentId === orderId)
      .map(({ event, account, cents }) => `booked ${event}: ${account} ${cents}`);
    const provider = bank.filter((one) => one.orderId === orderId).map((one) => `provider: ${JSON.stringify(one)}`);
    return [...events, ...booked, ...provider].map((line) => line.slice(0, MOST_CHARACTERS));
  });
}
