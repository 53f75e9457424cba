import { violation, type ClientCall, type Evidence, type LoggedEvent, type Violation } from './evidence.ts';
import type { FoldedSale } from './fold.ts';

/** Elements that the list contains more than once. */
function twice<T>(list: T[]): T[] {
  const seen = new Set<T>();
  const again = new Set<T>();
  for (const one of list) (seen.has(one) ? again : seen).add(one);
  return [...again];
}

/** Finds causes with two effects: a key, a command, a card payment, a ticket. */
export function checkDuplicates({ ticketing, payments, client, bank }: Evidence, sales: FoldedSale[]): Violation[] {
  const say = (what: string) => violation('duplicate', what);
  const sold = ticketing.filter(({ type }) => type === 'TicketsSold').map(({ data }) => data);
  const tickets = sold.flatMap((data) => data['tickets'] as Array<{ id: string; code: string }>);
  const kinds = (type: string) => payments.filter((event) => event.type === type).map(({ stream }) => stream);
  const charged = bank.filter(({ received }) => received > 0);
  return [
    ...ordersOfKeys(client),
    ...twice(sold.map((data) => data['paymentId'])).map((id) => say(`payment ${String(id)} bought twice`)),
    ...twice(tickets.map(({ code }) => code)).map((code) => say(`ticket code ${code} was given twice`)),
    ...twice(tickets.map(({ id }) => id)).map((id) => say(`ticket ${id} was given twice`)),
    ...[ticketing, payments].flatMap((log) =>
      twice(commandsOf(log)).map((id) => say(`command ${id} was decided twice`)),
    ),
    ...twice(kinds('PaymentSucceeded')).map((stream) => say(`${stream} succeeded twice`)),
    ...twice(kinds('PaymentRefunded')).map((stream) => say(`${stream} was refunded twice`)),
    ...twice(charged.map(({ orderId }) => orderId)).map((orderId) => say(`order ${orderId} was charged twice`)),
    ...charged
      .filter(({ refunded, received }) => refunded > received)
      .map(({ paymentId }) => say(`${paymentId} gave back more than it took`)),
    ...strangers(client, sales),
  ];
}

const commandsOf = (log: LoggedEvent[]): string[] =>
  log.flatMap(({ commandId }) => (commandId === null ? [] : [commandId]));

const makesOrder = ({ call }: ClientCall) => call === 'hold' || call === 'intent';

/** All responses for a key must name the same order, and no other key may get that order. */
function ordersOfKeys(client: ClientCall[]): Violation[] {
  const orders = new Map<string, Set<string>>();
  const keys = new Map<string, Set<string>>();
  const put = (map: Map<string, Set<string>>, from: string, to: string) =>
    map.set(from, (map.get(from) ?? new Set()).add(to));
  for (const call of client) {
    if (!makesOrder(call) || call.outcome !== 'acknowledged' || !call.orderId) continue;
    put(orders, call.key, call.orderId);
    put(keys, call.orderId, call.key);
  }
  return [
    ...[...orders]
      .filter(([, of]) => of.size > 1)
      .map(([key, of]) => violation('duplicate', `key ${key} made orders ${[...of].join(', ')}`)),
    ...[...keys]
      .filter(([, of]) => of.size > 1)
      .map(([order, of]) => violation('duplicate', `order ${order} was given to keys ${[...of].join(', ')}`)),
  ];
}

/**
 * Finds orders that no response named. One such order is allowed for each key that has an unanswered call but no
 * acknowledged call. One released order is allowed for each intent request that payments could not serve.
 */
function strangers(client: ClientCall[], sales: FoldedSale[]): Violation[] {
  const calls = client.filter(makesOrder);
  const answered = new Set(
    calls.flatMap(({ outcome, orderId }) => (outcome === 'acknowledged' && orderId ? [orderId] : [])),
  );
  const acknowledged = new Set(calls.flatMap(({ outcome, key }) => (outcome === 'acknowledged' ? [key] : [])));
  const open = new Set(
    calls.flatMap(({ outcome, key }) => (outcome === 'unknown' && !acknowledged.has(key) ? [key] : [])),
  );
  // When payments could not create an intent, ticketing refused the call and released the hold of the call.
  const gaveBack = new Set(
    calls.flatMap(({ call, outcome, key }) =>
      call === 'intent' && outcome === 'refused' && !acknowledged.has(key) ? [key] : [],
    ),
  );
  const orders = sales.flatMap((sale) => [...sale.orders.values()]).filter(({ orderId }) => !answered.has(orderId));
  const unserved = calls.filter(({ call, outcome }) => call === 'intent' && outcome !== 'acknowledged').length;
  const unpayable = orders.filter((order) => order.unpayable).map(({ orderId }) => orderId);
  // If more orders are unpayable than calls were unserved, the rest may be the last orders of their keys. These orders
  // count toward the keys.
  const unanswered = [
    ...orders.filter((order) => !order.unpayable).map(({ orderId }) => orderId),
    ...unpayable.slice(unserved),
  ];
  const may = new Set([...open, ...gaveBack]).size;
  return unanswered.length > may
    ? [
        violation(
          'duplicate',
          `${unanswered.length} orders in the log were in no answer, and only ${may} can be: ${unanswered.slice(0, 3).join(', ')}`,
        ),
      ]
    : [];
}
