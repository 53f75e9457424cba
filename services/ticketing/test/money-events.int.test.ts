import { expect, test } from 'vitest';
import { uuidFrom } from '@beltway/event-store';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { STORED_MONEY_EVENTS } from '../src/sale/upcast.ts';
import { eventState, putOnSale, startCheckout, startTicketing } from './support.ts';

/** `PaymentNotFulfilled` was stored as `RefundRequested` once. */
test('a log with the old name of a payment that got no tickets is published, mailed, replayed and repeated as one with the new', async () => {
  const ticketing = await startTicketing();
  const { bus, rows, deps, databaseUrl } = ticketing;
  const published: unknown[] = [];
  await bus.tail(['ticketing.events'], (heard) => {
    const { type, data } = heard as { type: string; data: unknown };
    if (type === 'ticketing.refund-requested') published.push(data);
  });
  await putOnSale(ticketing, eventState(42, 30));
  const { orderId } = (await startCheckout(ticketing)).body;
  const refund = { orderId, quantity: 2, paymentId: 'pi_late', amountCents: 5100, reason: 'too-late' };
  await rows(
    `insert into events (stream, version, type, data, command_id, command_size, correlation_id, causation_id, occurred_at)
     select stream, max(version) + 1, 'RefundRequested', $1, $2, 1, 'c', 'c', now() from events where stream = 'sale-42' group by stream`,
    [refund, uuidFrom('sell:pi_late')],
  );

  await eventually(() => published.length > 0, { what: 'the refund to be published' });
  expect(published).toEqual([{ eventId: 42, ...refund }]);
  await eventually(
    async () => (await rows(`select from mails where kind = 'too-late' and order_id = $1`, [orderId]))[0],
  );
  const { events } = await deps.sales.handle(
    42,
    {
      type: 'SellTickets',
      orderId,
      quantity: 2,
      priceCents: 2550,
      paidCents: 5100,
      paymentId: 'pi_late',
      buyerId: null,
      at: new Date().toISOString(),
      tickets: [],
    },
    { commandId: 'sell:pi_late' },
  );
  expect(events).toEqual([{ type: 'PaymentNotFulfilled', data: refund }]);

  await rebuild(databaseUrl);
  expect(await rows('select status, payment_id from orders where order_id = $1', [orderId])).toEqual([
    { status: 'refunding', payment_id: 'pi_late' },
  ]);
  expect(await rows(`select type from events where type in ('RefundRequested', 'PaymentNotFulfilled')`)).toEqual([
    { type: 'RefundRequested' },
  ]);
});

test('the index of the events that move money has the types that relay and mails read', async () => {
  const { rows } = await startTicketing();
  const [index] = await rows(`select pg_get_indexdef('events_of_money'::regclass) as text`);
  const types = [...String(index?.['text']).matchAll(/'(\w+)'/g)].map(([, type]) => type);
  expect(types.sort()).toEqual([...STORED_MONEY_EVENTS].sort());
});
