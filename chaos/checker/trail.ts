import type { Evidence, LoggedEvent, Violation } from './evidence.ts';

const ORDER = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const CALL = /\bcall (\d+)\b/;
const MOST_SUBJECTS = 3;
const MOST_CHARACTERS = 300;
/** How much of a sale's log is shown before a call, in ms. */
const BEFORE_MS = 3_000;
const MOST_EVENTS = 40;

const lineOf = ({ stream, version, type, occurredAt, data }: LoggedEvent): string =>
  `${new Date(occurredAt).toISOString()} ${stream} ${version} ${type} ${JSON.stringify(data)}`;
const subjectsOf = (violations: Violation[], pattern: RegExp, group = 0): string[] =>
  [...new Set(violations.flatMap(({ what }) => pattern.exec(what)?.[group] ?? []))].slice(0, MOST_SUBJECTS);

/**
 * Returns all facts about the orders of the first violations, and the first refused calls with the log of their sales,
 * oldest first. Helps to examine a run whose data folder was deleted.
 */
export function trailOf({ ticketing, payments, client, bank, rows }: Evidence, violations: Violation[]): string[] {
  const orders = subjectsOf(violations, ORDER).flatMap((orderId) => {
    const events = [...ticketing, ...payments]
      .filter(({ stream, correlationId, data }) =>
        [stream, correlationId, data['orderId']].some((of) => typeof of === 'string' && of.includes(orderId)),
      )
      .sort((one, other) => one.occurredAt - other.occurredAt)
      .map(lineOf);
    const booked = rows.ledger
      .filter(({ paymentId }) => paymentId === orderId)
      .map(({ event, account, cents }) => `booked ${event}: ${account} ${cents}`);
    const provider = bank.filter((one) => one.orderId === orderId).map((one) => `provider: ${JSON.stringify(one)}`);
    return [...events, ...booked, ...provider];
  });
  const refusals = violations.filter(({ kind }) => kind === 'undersold');
  const calls = subjectsOf(refusals, CALL, 1).flatMap((number) => {
    const call = client.find(({ n }) => n === Number(number));
    const { sentAt = 0, answeredAt = sentAt } = call ?? {};
    const events = ticketing.filter(
      ({ stream, occurredAt }) =>
        stream === `sale-${call?.eventId}` && occurredAt >= sentAt - BEFORE_MS && occurredAt <= (answeredAt ?? sentAt),
    );
    return [...events.slice(-MOST_EVENTS).map(lineOf), `call: ${JSON.stringify(call)}`];
  });
  return [...orders, ...calls].map((line) => line.slice(0, MOST_CHARACTERS));
}
