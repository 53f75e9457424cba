import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rejected } from '@beltway/event-store';
import { scenarios } from '@beltway/event-store/testing';
import { linesOf } from '@beltway/contracts/testing/lines';
import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { SaleCommand } from './command.ts';
import { sale, type Sale } from './decider.ts';
import { saleSnapshot } from './snapshot.ts';
import { totals } from './stock.ts';
import type { SaleEvent, Terms } from './events.ts';

const given = scenarios(sale);
const noon = '2026-06-01T16:00:00.000Z';
const terms: Terms = {
  ...{ capacity: 10, priceCents: 2500, organizerId: 7, opensAt: null, closesAt: null },
  ...{ endsAt: '2026-12-01T00:00:00.000Z', catalogVersion: 1, refundDeadlineHours: 24 },
};
const opened: SaleEvent = { type: 'SaleOpened', data: terms };
const canceled: SaleEvent = { type: 'SaleClosed', data: { reason: 'canceled', catalogVersion: 2 } };
const sold = (quantity: number, orderId = 'ann', lines = linesOf(quantity)): SaleEvent => ({
  type: 'TicketsSold',
  data: {
    ...{ orderId, lines, paymentId: `pi_${orderId}`, at: noon, buyerId: null },
    ...{ fromHold: [], tickets: [] },
  },
});

const R1 = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11';
const R2 = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f12';
/** The organizer's request to refund the tickets at these places of an order of three, or all remaining ones. */
const ask = (refundId: string, places?: number[], lines = linesOf(3)): SaleCommand => ({
  type: 'ReturnTickets',
  ...{ orderId: 'ann', lines, paymentId: 'pi_ann' },
  reason: 'refunded-by-organizer',
  asked: { refundId, ...(places && { places }) },
});
const whole = (reason: 'event-canceled' | 'refunded-by-provider'): SaleCommand => ({
  type: 'ReturnTickets',
  ...{ orderId: 'ann', lines: linesOf(3), paymentId: 'pi_ann', reason },
});
type Returned = Extract<SaleEvent, { type: 'TicketsReturned' }>;
/** The return of these tickets of an order of three tickets at one price. */
const part = (
  refundId: string,
  places: number[],
  standing: number,
  reason: Returned['data']['reason'] = 'refunded-by-organizer',
): Returned => ({
  type: 'TicketsReturned',
  data: {
    ...{ orderId: 'ann', paymentId: 'pi_ann', reason, refundId, amountCents: places.length * 2500 },
    tickets: places.map((place) => ({ place, type: 'general', priceCents: 2500 })),
    order: { quantity: 3, totalCents: 7500, standing, standingCents: standing * 2500 },
  },
});
const frozen = (disputeId: string): SaleEvent => ({
  type: 'OrderFrozen',
  data: { orderId: 'ann', disputeId, isFrozen: true },
});

test('if some tickets of an order are returned, their price is refunded and they are on sale again', () => {
  given(opened, sold(3))
    .when(ask(R1, [2]))
    .yields(part(R1, [2], 2));
  given({ ...opened, data: { ...terms, capacity: 3 } } as SaleEvent, sold(3), part(R1, [2], 2))
    .when({ type: 'HoldTickets', orderId: 'bob', wanted: [{ type: 'general', quantity: 1 }], buyerId: null, at: noon })
    .yields({
      type: 'TicketsHeld',
      data: {
        ...{ orderId: 'bob', lines: linesOf(1), at: noon, buyerId: null, refundDeadlineHours: 24 },
        until: '2026-06-01T16:10:00.000Z',
      },
    });
});
test('a ticket is returned once, even if it is requested again together with others', () => {
  const log = [opened, sold(3), part(R1, [2], 2)];
  given(...log)
    .when(ask(R2, [2]))
    .rejects('already-refunded');
  given(...log)
    .when(ask(R2, [1, 2]))
    .rejects('already-refunded');
  given(...log)
    .when(ask(R2))
    .yields(part(R2, [1, 3], 0));
});
test('when two callers refund a whole order, the second is rejected as already refunded', () => {
  const all = part(R1, [1, 2, 3], 0);
  given(opened, sold(3)).when(ask(R1)).yields(all);
  given(opened, sold(3), all).when(ask(R2)).rejects('already-refunded');
  given(opened, sold(3), all)
    .when(ask(R2, [1]))
    .rejects('already-refunded');
  // A later report of the provider returns no ticket again.
  given(opened, sold(3), all).when(whole('refunded-by-provider')).yields();
});
test('each ticket is refunded at its own price', () => {
  const lines: OrderLine[] = [...linesOf(1, 9_000), { type: 'child', name: 'Child', quantity: 2, priceCents: 1_000 }];
  given(opened, sold(3))
    .when(ask(R1, [2], lines))
    .yields({
      type: 'TicketsReturned',
      data: {
        ...{ orderId: 'ann', paymentId: 'pi_ann', reason: 'refunded-by-organizer', refundId: R1, amountCents: 1_000 },
        tickets: [{ place: 2, type: 'child', priceCents: 1_000 }],
        order: { quantity: 3, totalCents: 11_000, standing: 2, standingCents: 10_000 },
      },
    });
});
test('a ticket that the order does not have is not returned', () =>
  given(opened, sold(3))
    .when(ask(R1, [4]))
    .rejects('no-such-ticket'));
test('canceling the event returns the remaining tickets of an order, and later requests are rejected', () => {
  const last = part('ann', [1, 3], 0, 'event-canceled');
  given(opened, sold(3), part(R1, [2], 2), canceled)
    .when(whole('event-canceled'))
    .yields(last);
  given(opened, sold(3), part(R1, [2], 2), canceled)
    .when(ask(R2, [1]))
    .rejects('event-canceled');
  given(opened, sold(3), part(R1, [2], 2), canceled, last)
    .when(whole('refunded-by-provider'))
    .yields();
});
test('while a bank disputes the payment, no ticket of the order is refunded on request', () => {
  given(opened, sold(3), frozen('dp_1')).when(ask(R1)).rejects('order-disputed');
  given(opened, sold(3), frozen('dp_1')).when({ type: 'FreezeOrder', orderId: 'ann', disputeId: 'dp_1' }).yields();
});
test('a ticket that was returned and sold again to another buyer is not refunded a second time', () => {
  const soldAgain = [opened, sold(3), part(R1, [2], 2), sold(8, 'bob')];
  given(...soldAgain)
    .when(ask(R2, [2]))
    .rejects('already-refunded');
  given(...soldAgain)
    .when(ask(R2))
    .yields(part(R2, [1, 3], 0));
});
test('after a partial refund, a dispute blocks refund requests; a refund made at the provider returns only the remaining tickets', () => {
  const disputed = [opened, sold(3), part(R1, [2], 2), frozen('dp_1')];
  given(...disputed)
    .when(ask(R2, [1]))
    .rejects('order-disputed');
  given(...disputed)
    .when(whole('refunded-by-provider'))
    .yields(part('ann', [1, 3], 0, 'refunded-by-provider'));
});
test('an order thaws once, when its last open dispute is won', () => {
  const thaw = (disputeId: string): SaleCommand => ({ type: 'ThawOrder', orderId: 'ann', disputeId });
  const thawed = (disputeId: string, isFrozen: boolean): SaleEvent => ({
    type: 'OrderThawed',
    data: { orderId: 'ann', disputeId, isFrozen },
  });
  const log = [opened, sold(3), frozen('dp_1'), frozen('dp_2')];
  given(...log)
    .when(thaw('dp_1'))
    .yields(thawed('dp_1', true));
  given(...log, thawed('dp_1', true))
    .when(thaw('dp_2'))
    .yields(thawed('dp_2', false));
  given(...log, thawed('dp_1', true), thawed('dp_2', false))
    .when(thaw('dp_2'))
    .yields();
  given(...log, thawed('dp_1', true))
    .when(ask(R1, [2]))
    .rejects('order-disputed');
  given(...log, thawed('dp_1', true), thawed('dp_2', false))
    .when(ask(R1, [2]))
    .yields(part(R1, [2], 2));
});
const about = (type: 'FreezeOrder' | 'VoidOrder' | 'ThawOrder', disputeId: string): SaleCommand => ({
  type,
  orderId: 'ann',
  disputeId,
});
const voided = (disputeId: string, isFrozen = false): SaleEvent => ({
  type: 'OrderVoided',
  data: { orderId: 'ann', disputeId, isFrozen },
});
const thawed = (disputeId: string, more: { isFrozen?: boolean; isVoid?: true } = {}): SaleEvent => ({
  type: 'OrderThawed',
  data: { orderId: 'ann', disputeId, isFrozen: false, ...more },
});

test('a lost dispute makes the tickets void, and they are not sold again; they become valid again only if the dispute is won later', () => {
  const lost = [opened, sold(3), frozen('dp_1'), voided('dp_1')];
  given(opened, sold(3), frozen('dp_1')).when(about('VoidOrder', 'dp_1')).yields(voided('dp_1'));
  for (const late of ['VoidOrder', 'FreezeOrder'] as const)
    given(...lost)
      .when(about(late, 'dp_1'))
      .yields();
  given(...lost)
    .when(about('ThawOrder', 'dp_1'))
    .yields(thawed('dp_1'));
  given({ ...opened, data: { ...terms, capacity: 3 } } as SaleEvent, ...lost.slice(1))
    .when({ type: 'HoldTickets', orderId: 'bob', wanted: [{ type: 'general', quantity: 1 }], buyerId: null, at: noon })
    .rejects('sold-out');
});
test('after a dispute was won, late messages about it change nothing', () => {
  const won = [opened, sold(3), frozen('dp_1'), voided('dp_1'), thawed('dp_1')];
  for (const late of ['FreezeOrder', 'VoidOrder', 'ThawOrder'] as const)
    given(...won)
      .when(about(late, 'dp_1'))
      .yields();
  // The report that the dispute was opened may arrive last, from the dead letters.
  given(opened, sold(3)).when(about('ThawOrder', 'dp_1')).yields(thawed('dp_1'));
  given(opened, sold(3), thawed('dp_1')).when(about('FreezeOrder', 'dp_1')).yields();
});
test('with two disputes, an order is valid only when none is open and none is lost', () => {
  const both = [opened, sold(3), frozen('dp_1'), frozen('dp_2')];
  given(...both)
    .when(about('VoidOrder', 'dp_1'))
    .yields(voided('dp_1', true));
  given(...both, voided('dp_1', true))
    .when(about('ThawOrder', 'dp_2'))
    .yields(thawed('dp_2', { isVoid: true }));
  given(...both, voided('dp_1', true))
    .when(about('ThawOrder', 'dp_1'))
    .yields(thawed('dp_1', { isFrozen: true }));
});
test('void tickets are not refunded on request; they are returned if the event is canceled or the provider’s dashboard refunds them', () => {
  const log = [opened, sold(3), frozen('dp_1'), voided('dp_1')];
  given(...log)
    .when(ask(R1))
    .rejects('order-disputed');
  given(...log, canceled)
    .when(whole('event-canceled'))
    .yields(part('ann', [1, 2, 3], 0, 'event-canceled'));
  given(...log)
    .when(whole('refunded-by-provider'))
    .yields(part('ann', [1, 2, 3], 0, 'refunded-by-provider'));
});
test('the refund deadline comes from the terms at the time of the hold', () => {
  const strict: SaleEvent = { type: 'SaleOpened', data: { ...terms, refundDeadlineHours: null } };
  const held = (more: { orderId?: string; refundDeadlineHours: number | null }): SaleEvent => ({
    type: 'TicketsHeld',
    data: {
      ...{ orderId: 'bob', lines: linesOf(1), at: noon, until: '2026-06-01T16:10:00.000Z', buyerId: null },
      ...more,
    },
  });
  const hold: SaleCommand = {
    type: 'HoldTickets',
    orderId: 'bob',
    wanted: [{ type: 'general', quantity: 1 }],
    buyerId: null,
    at: noon,
  };
  given(strict)
    .when(hold)
    .yields(held({ refundDeadlineHours: null }));
  given(opened)
    .when(hold)
    .yields(held({ refundDeadlineHours: 24 }));
  given(strict, held({ orderId: 'bob0', refundDeadlineHours: null }))
    .when({ ...hold, replaces: 'bob0' } as SaleCommand)
    .yields(
      { type: 'HoldReleased', data: { orderId: 'bob0', lines: linesOf(1), reason: 'replaced' } },
      held({ refundDeadlineHours: null }),
    );
});

const DISPUTED = { freeze: 'FreezeOrder', void: 'VoidOrder', thaw: 'ThawOrder' } as const;
const request = fc.record({
  who: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom('part', 'rest', 'provider', 'freeze', 'void', 'thaw', 'cancel'),
  places: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
});

test('in any sequence of commands each ticket is returned at most once, and stock and money match', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const child = { type: 'child', name: 'Child', quantity: 3, priceCents: 1_000 };
      const lines = [...linesOf(1, 9_000), child];
      const prices = [9_000, 1_000, 1_000, 1_000];
      const centsOf = (places: Iterable<number>) => [...places].reduce((sum, place) => sum + prices[place - 1]!, 0);
      const QUANTITY = prices.length;
      let state: Sale = ['a', 'b'].reduce(
        (so, who) => sale.evolve(so, sold(QUANTITY, who, lines)),
        sale.evolve(sale.initial(), opened),
      );
      const gone = new Map<string, Set<number>>([
        ['a', new Set()],
        ['b', new Set()],
      ]);
      /** Ids of the commands already decided. Each is decided only once, as in the store. */
      const decided = new Set<string>();
      for (const [n, { who, kind, places }] of requests.entries()) {
        if (!gone.has(who)) continue;
        const order = { orderId: who, lines, paymentId: `pi_${who}` };
        const refundId = `b1b0f4d0-9d0b-4b6e-8e0a-${String(n).padStart(12, '0')}`;
        const command: SaleCommand =
          kind === 'part'
            ? { type: 'ReturnTickets', ...order, reason: 'refunded-by-admin', asked: { refundId, places } }
            : kind === 'rest'
              ? { type: 'ReturnTickets', ...order, reason: 'canceled-by-buyer', asked: { refundId } }
              : kind === 'provider'
                ? { type: 'ReturnTickets', ...order, reason: 'refunded-by-provider' }
                : kind === 'cancel'
                  ? { type: 'CloseSale', reason: 'canceled', catalogVersion: 2 }
                  : { type: DISPUTED[kind], orderId: who, disputeId: `dp_${places.length}` };
        const id = kind === 'provider' ? `return:${who}` : refundId;
        if (decided.has(id)) continue;
        let events: SaleEvent[];
        try {
          events = sale.decide(command, state);
        } catch (error) {
          if (!(error instanceof Rejected)) throw error;
          continue;
        }
        if (events.length > 0) decided.add(id);
        for (const event of events) {
          state = sale.evolve(state, event);
          if (event.type !== 'TicketsReturned') continue;
          const { tickets, amountCents, order: after } = event.data;
          const returned = tickets.map(({ place }) => place);
          expect(amountCents).toBe(centsOf(returned));
          for (const place of returned) {
            expect(gone.get(who)!.has(place)).toBe(false);
            gone.get(who)!.add(place);
          }
          expect(after.standing).toBe(QUANTITY - gone.get(who)!.size);
          expect(after.standingCents).toBe(12_000 - centsOf(gone.get(who)!));
          expect(after).toMatchObject({ quantity: QUANTITY, totalCents: 12_000 });
        }
        const generalGone = [...gone.values()].filter((places) => places.has(1)).length;
        expect(state.stock.get('general')!.sold).toBe(2 - generalGone);
        expect(totals(state.stock).sold).toBe([...gone.values()].reduce((sum, { size }) => sum + QUANTITY - size, 0));
      }
      expect(saleSnapshot.read(JSON.parse(JSON.stringify(saleSnapshot.write(state))))).toEqual(state);
    }),
    { numRuns: 500 },
  );
});
