import { expect, test } from 'vitest';
import { check, countOf } from './check.ts';
import type { Kind } from './evidence.ts';
import { goodStory, linesOf, story, type Story } from './story.ts';
import type { BankPayment } from './evidence.ts';

/** Falsifies one fact of the good story, and expects a violation of this kind whose text matches `says`. */
function finds(kind: Kind, says: RegExp, wrong: (tell: Story) => void, tell = goodStory()): void {
  wrong(tell);
  const found = check(tell.evidence()).filter((one) => one.kind === kind);
  expect(found.map(({ what }) => what).join('\n')).toMatch(says);
}
const event = (tell: Story, type: string, orderId?: string) =>
  tell.logs.ticketing.find((one) => one.type === type && (orderId === undefined || one.data['orderId'] === orderId))!;
const called = (tell: Story, name: string, orderId: string) =>
  tell.client.find((one) => one.call === name && one.orderId === orderId)!;

test('finds no violation in a correct story', () => {
  const found = check(goodStory().evidence());
  expect(found).toEqual([]);
  expect(Object.values(countOf(found)).every((count) => count === 0)).toBe(true);
});

test('oversold: more sold and held than the capacity after any event, even if not at the end of the log', () => {
  const tell = story();
  tell.opens(5);
  tell.holds('ann', 3);
  tell.holds('bob', 3);
  tell.expires('bob', 3);
  finds('oversold', /after version 3 \(TicketsHeld\): 0 sold \+ 6 held > 5/, () => undefined, tell);
});
/** All five tickets are held, then the organizer lowers the capacity to three. */
function loweredStory(): Story {
  const tell = story();
  tell.opens(5);
  tell.holds('ann', 3);
  tell.holds('bob', 2);
  tell.sale('SaleChanged', { capacity: 3, priceCents: 1_000 });
  tell.rows.availability[0]!.capacity = 3;
  tell.expires('bob', 2);
  return tell;
}
test('not oversold: a capacity was lowered below the number of held tickets, and the holds then lapse', () =>
  expect(check(loweredStory().evidence())).toEqual([]));
test('oversold: a hold is granted after the capacity was lowered, even if the same number was held before', () => {
  finds(
    'oversold',
    /after version 6 \(TicketsHeld\): 0 sold \+ 4 held > 3/,
    (tell) => tell.holds('cat', 1),
    loweredStory(),
  );
  finds(
    'oversold',
    /after version 7 \(TicketsHeld\): 0 sold \+ 5 held > 3/,
    (tell) => {
      tell.sale('HoldReleased', { orderId: 'ann', lines: linesOf(3), reason: 'replaced' });
      tell.holds('ann2', 5);
    },
    loweredStory(),
  );
});
test('oversold: tickets are sold from a released hold', () =>
  finds('oversold', /order ann is sold from a hold of 2, and 0 were held/, (tell) => {
    const sold = event(tell, 'TicketsSold', 'ann');
    tell.logs.ticketing.splice(tell.logs.ticketing.indexOf(sold), 0, {
      ...sold,
      type: 'HoldReleased',
      data: { orderId: 'ann', lines: linesOf(2) },
    });
  }));

test('lost: a client secret for a hold that has ended, or that the sale does not know', () => {
  finds('lost', /a payment is attached to a missing hold \(bob\)/, (tell) => {
    const attached = tell.logs.ticketing.findIndex(
      ({ type, data }) => type === 'PaymentAttached' && data['orderId'] === 'bob',
    );
    tell.logs.ticketing.push(...tell.logs.ticketing.splice(attached, 1));
    tell.logs.ticketing.at(-1)!.version = 100;
  });
  finds('lost', /call \d+ \(intent ann\): the payment was never attached to the hold/, (tell) => {
    event(tell, 'PaymentAttached', 'ann').data['orderId'] = 'eve';
  });
});
test('lost: a payable hold is released because payments was unavailable', () =>
  finds('lost', /order bob can be paid, and its hold is given back/, (tell) => {
    event(tell, 'HoldReleased', 'bob').data['reason'] = 'payment-unavailable';
  }));
/** Intent requests under one key while payments is down. Each request holds tickets and releases them. */
const outage = (tell: Story, times: number, calls: number) => {
  for (let n = 0; n < times; n++) {
    tell.sale('TicketsHeld', { orderId: `eve-${n}`, lines: linesOf(1) });
    tell.sale('HoldReleased', { orderId: `eve-${n}`, lines: linesOf(1), reason: 'payment-unavailable' });
    tell.rows.orders.push({ orderId: `eve-${n}`, eventId: 1, quantity: 1, status: 'released' });
  }
  for (let n = 0; n < calls; n++)
    tell.call('intent', { eventId: 1, quantity: 1, key: 'key of eve', outcome: 'unknown' });
  tell.holds('eve', 1);
  tell.asksToPay('eve', 1);
};
const withOutage = (times: number, calls: number) => {
  const tell = story();
  tell.opens(5);
  outage(tell, times, calls);
  return tell;
};
test('not a duplicate: one released order for each call under the same key that payments could not serve', () =>
  expect(check(withOutage(3, 3).evidence())).toEqual([]));
test('duplicate: more released orders than calls that could have made them', () =>
  finds('duplicate', /orders in the log were in no answer/, () => undefined, withOutage(4, 3)));

test('undersold: refused as sold out although enough tickets were left the whole time', () => {
  const tell = story();
  tell.opens(5);
  tell.holds('ann', 1);
  tell.expires('ann', 1);
  tell.call('rest');
  tell.later(1_000);
  const says = /of 2 for sale 1 was refused as sold-out, and at least 5 were left/;
  finds('undersold', says, () => tell.refused(2, 'sold-out'), tell);
});
test('undersold: refused for lack of stock that was released before the request', () => {
  const tell = story();
  tell.opens(3);
  tell.holds('ann', 3);
  tell.expires('ann', 3);
  tell.later(1_000);
  tell.call('rest');
  tell.later(1_000);
  finds(
    'undersold',
    /of 1 for sale 1 was refused as all-held, and at least 3 were left/,
    () => tell.refused(1, 'all-held'),
    tell,
  );
});
test('not undersold: all tickets were held at some moment of the request', () => {
  const tell = story();
  tell.opens(3);
  tell.later(1_000);
  const refusal = tell.refused(1, 'all-held');
  tell.holds('ann', 3);
  tell.expires('ann', 3);
  tell.later(1_000);
  refusal.answeredAt = called(tell, 'hold', 'ann').answeredAt! + 30;
  expect(check(tell.evidence())).toEqual([]);
});
test('not undersold: the release was decided, but may not have been committed yet', () => {
  const tell = story();
  tell.opens(3);
  tell.holds('ann', 3);
  tell.expires('ann', 3);
  tell.refused(1, 'all-held');
  tell.later(1_000);
  tell.holds('bob', 1);
  tell.expires('bob', 1);
  expect(check(tell.evidence())).toEqual([]);
});
test('undersold: refused as not on sale although the sale was open', () => {
  const tell = story();
  tell.opens(9);
  tell.holds('ann', 1);
  tell.expires('ann', 1);
  tell.holds('bob', 1);
  tell.later(1_000);
  finds('undersold', /refused as not-on-sale/, () => tell.refused(1, 'not-on-sale'), tell);
});

test('lost: an acknowledged hold is not in the log', () =>
  finds('lost', /hold eve\): the hold is not in the log/, (tell) =>
    tell.call('hold', { orderId: 'eve', eventId: 1, quantity: 1 }),
  ));
test('lost: a hold has another quantity than the acknowledged one', () =>
  finds('lost', /hold ann\): the hold is not in the log/, (tell) => (called(tell, 'hold', 'ann').quantity = 1)));
test('lost: payments does not know a payment whose id a buyer received', () =>
  finds(
    'lost',
    /intent ann\): payments does not know the payment/,
    (tell) => (called(tell, 'intent', 'ann').paymentId = 'pi_other'),
  ));
test('lost: the provider does not know a payment that it reported as succeeded', () =>
  finds('lost', /confirm ann\): the provider does not know/, (tell) => tell.bank.splice(0, 1)));
test('lost: a response to the buyer contained tickets that do not exist', () =>
  finds('lost', /process bob\): reported as fulfilled, but is refunding/, (tell) =>
    tell.call('process', { orderId: 'bob', result: 'fulfilled' }),
  ));
test('lost: a response to the buyer contained a refund that was not requested', () =>
  finds('lost', /process ann\): reported as refunded, but is fulfilled/, (tell) =>
    tell.call('process', { orderId: 'ann', result: 'refunding' }),
  ));
test('lost: a response to the buyer contained other ticket codes than the log', () =>
  finds(
    'lost',
    /look ann\): the buyer was shown other tickets/,
    (tell) => (called(tell, 'look', 'ann').codes = ['A', 'B']),
  ));
test('lost: an acknowledged extension, release, change or cancellation', () => {
  finds('lost', /the hold was never extended/, (tell) => tell.call('extend', { orderId: 'ann', eventId: 1 }));
  finds('lost', /the hold is still there/, (tell) => {
    tell.holds('dan', 1);
    tell.call('give-back', { orderId: 'dan' });
  });
  finds('lost', /the stock was never changed/, (tell) => tell.call('change-sale', { eventId: 1, capacity: 9 }));
  finds('lost', /the sale was never closed/, (tell) => tell.call('cancel-sale', { eventId: 1 }));
  finds('lost', /the sale was never opened/, (tell) => tell.call('open-sale', { eventId: 2, capacity: 9 }));
});
test('lost: fewer tickets than the buyer paid for', () =>
  finds('lost', /order ann of 2 has 1 tickets/, (tell) =>
    (event(tell, 'TicketsSold', 'ann').data['tickets'] as unknown[]).pop(),
  ));
test('lost: payments did not record the money or the tickets', () => {
  const without = (type: string) => (tell: Story) =>
    (tell.logs.payments = tell.logs.payments.filter((one) => one.type !== type));
  finds('lost', /pi_ann of order ann was paid, but payments has no record of it/, without('PaymentSucceeded'));
  finds('lost', /pi_ann of order ann has its tickets, but payments has no record of it/, without('PaymentFulfilled'));
});

test('refused but sold: a refused request created an order', () =>
  finds('refusedButSold', /was refused \(sold-out\) and made order ann/, (tell) => {
    event(tell, 'TicketsHeld', 'ann').correlationId = tell.refused(2, 'sold-out').requestId!;
  }));
test('refused but sold: unpaid tickets', () =>
  finds('refusedButSold', /order ann has tickets and was never paid/, (tell) => (tell.bank[0]!.received = 0)));
test('refused but sold: every card was declined, but one was charged', () =>
  finds(
    'refusedButSold',
    /every card for pi_ann was declined/,
    (tell) => (called(tell, 'confirm', 'ann').outcome = 'refused'),
  ));

test('refused but sold: payments accepted a webhook that the provider did not send', () => {
  finds('refusedButSold', /a webhook for pi_ann was taken/, (tell) => tell.call('forge', { paymentId: 'pi_ann' }));
  const tell = goodStory();
  tell.call('forge', { paymentId: 'pi_ann', outcome: 'refused', code: 'bad-signature' });
  expect(check(tell.evidence())).toEqual([]);
});

test('duplicate: two orders for one idempotency key', () =>
  finds(
    'duplicate',
    /key key of ann made orders ann, cat/,
    (tell) => (called(tell, 'hold', 'cat').key = 'key of ann'),
  ));
test('duplicate: one order for two idempotency keys', () =>
  finds('duplicate', /order ann was given to keys/, (tell) =>
    tell.call('hold', { orderId: 'ann', eventId: 1, quantity: 2, key: 'another' }),
  ));
test('duplicate: orders in the log that no client can have made', () =>
  finds('duplicate', /2 orders in the log were in no answer, and only 1 can be/, (tell) => {
    tell.call('hold', { eventId: 1, quantity: 1, outcome: 'unknown' });
    for (const orderId of ['x', 'y']) tell.sale('TicketsHeld', { orderId, lines: [] });
  }));
test('duplicate: a command decided twice, a ticket code issued twice, a payment that bought two orders', () => {
  finds('duplicate', /command same was decided twice/, (tell) => {
    for (const one of tell.logs.payments.slice(0, 2)) one.commandId = 'same';
  });
  finds('duplicate', /ticket code CODE-ann-0 was given twice/, (tell) => {
    (event(tell, 'TicketsSold', 'cat').data['tickets'] as Array<{ code: string }>)[0]!.code = 'CODE-ann-0';
  });
  finds(
    'duplicate',
    /payment pi_ann bought twice/,
    (tell) => (event(tell, 'TicketsSold', 'cat').data['paymentId'] = 'pi_ann'),
  );
});
test('duplicate: the same order is held, sold, released or returned twice', () => {
  finds('duplicate', /order ann is held twice/, (tell) =>
    tell.sale('TicketsHeld', event(tell, 'TicketsHeld', 'ann').data),
  );
  finds('duplicate', /order ann is sold twice/, (tell) =>
    tell.sale('TicketsSold', { ...event(tell, 'TicketsSold', 'ann').data, fromHold: [] }),
  );
  finds('duplicate', /a missing hold is given back \(bob\)/, (tell) =>
    tell.sale('HoldReleased', { orderId: 'bob', lines: linesOf(3) }),
  );
  finds('duplicate', /tickets that were not sold are returned \(bob\)/, (tell) =>
    tell.sale('TicketsReturned', { orderId: 'bob', tickets: [], order: { standing: 3, standingCents: 3_000 } }),
  );
});
test('duplicate: a payment charged, succeeded or refunded twice, or refunded beyond its amount', () => {
  finds('duplicate', /order ann was charged twice/, (tell) =>
    tell.bank.push({ ...tell.bank[0]!, paymentId: 'pi_again' }),
  );
  finds('duplicate', /payment-ann succeeded twice/, (tell) =>
    tell.log('payments', 'payment-ann', 'PaymentSucceeded', {}),
  );
  finds('duplicate', /payment-bob was refunded twice/, (tell) =>
    tell.log('payments', 'payment-bob', 'PaymentRefunded', {}),
  );
  finds(
    'duplicate',
    /pi_bob gave back more than it took/,
    (tell) => (tell.bank.find(({ orderId }) => orderId === 'bob')!.refunded += 1),
  );
});

const bankOf = (tell: Story, orderId: string) => tell.bank.find((one) => one.orderId === orderId)!;
test('paid, but neither or only partly fulfilled or refunded', () => {
  finds(
    'paidUnsettled',
    /of order bob has no tickets \(refunding\) and 0 of 3000 back/,
    (tell) => (bankOf(tell, 'bob').refunded = 0),
  );
  finds('paidUnsettled', /2999 of 3000 back/, (tell) => (bankOf(tell, 'bob').refunded = 2_999));
});
test('paid, and both fulfilled and refunded', () =>
  finds(
    'paidUnsettled',
    /of order ann has its tickets and its money back/,
    (tell) => (bankOf(tell, 'ann').refunded = 2_000),
  ));
test('paid for an order that is not in the log', () =>
  finds('paidUnsettled', /of order eve has no tickets \(no order\)/, (tell) =>
    tell.bank.push({ ...bankOf(tell, 'ann'), orderId: 'eve', paymentId: 'pi_eve' }),
  ));
test('paid a price that differs from the order’s price', () =>
  finds('paidUnsettled', /took 2500 for tickets of 2000/, (tell) => (bankOf(tell, 'ann').received = 2_500)));

test('log: a duplicate or missing version, in either log', () => {
  finds('log', /sale-1: version 3 \(PaymentAttached\)/, (tell) => (tell.logs.ticketing[3]!.version = 3));
  finds('log', /sale-1: version 99/, (tell) => (tell.logs.ticketing.at(-1)!.version = 99));
  finds(
    'log',
    /payment-ann: version 1 \(PaymentSucceeded\) is twice there/,
    (tell) => (tell.logs.payments.find(({ type }) => type === 'PaymentSucceeded')!.version = 1),
  );
});
test('log: an unknown kind of event, sold tickets without a hold, an extension of a hold that has ended', () => {
  finds('log', /does not know: SeatsMoved/, (tell) => tell.sale('SeatsMoved', {}));
  finds('log', /order eve is sold and was never held/, (tell) =>
    tell.sale('TicketsSold', { ...event(tell, 'TicketsSold', 'ann').data, orderId: 'eve', fromHold: [] }),
  );
  finds('log', /a missing hold is extended \(bob\)/, (tell) => tell.sale('HoldExtended', { orderId: 'bob' }));
});

test('read models: each row matches the log, and no row is missing or extra', () => {
  finds(
    'readModel',
    /availability of sale 1 is 5\/4\/0\/null, by the log 5\/5\/0\/null/,
    (tell) => (tell.rows.availability[0]!.sold = 4),
  );
  finds('readModel', /stock in the catalog of sale 1/, (tell) => (tell.rows.stock[0]!.held = 1));
  finds(
    'readModel',
    /order ann is 1 × 2 held, by the log 1 × 2 fulfilled/,
    (tell) => (tell.rows.orders[0]!.status = 'held'),
  );
  finds('readModel', /order ann is missing/, (tell) => tell.rows.orders.splice(0, 1));
  finds('readModel', /ticket EXTRA is ann valid, by the log nothing/, (tell) =>
    tell.rows.tickets.push({ id: 'x', orderId: 'ann', code: 'EXTRA', status: 'valid' }),
  );
  finds(
    'readModel',
    /listing 1 is Old Title published, by the log Night published/,
    (tell) => (tell.rows.listings[0]!.title = 'Old Title'),
  );
  finds(
    'readModel',
    /payment of order bob is succeeded, by the log refunded/,
    (tell) => (tell.rows.payments.find(({ orderId }) => orderId === 'bob')!.status = 'succeeded'),
  );
});

test('ledger: legs that do not sum to zero, and money that is in another account than booked', () => {
  finds('ledger', /ann PaymentSucceeded sums to 5/, (tell) => (tell.rows.ledger[1]!.cents += 5));
  finds('ledger', /cents are booked at the provider, which has/, (tell) => (bankOf(tell, 'bob').refunded = 0));
  finds(
    'ledger',
    /order ann has its money back, and payments does not know/,
    (tell) => (bankOf(tell, 'ann').refunded = 2_000),
  );
  finds(
    'ledger',
    /order bob is booked as refunded, and the provider still has the money/,
    (tell) => (bankOf(tell, 'bob').refunded = 0),
  );
});

/**
 * The organizer's account is ready and received their share of ann's payment: `booked` cents in the ledger,
 * `transferred` cents at the provider.
 */
const passedOn = (tell: Story, booked: number, transferred: number): void => {
  tell.log('payments', 'payout-account-7', 'AccountChanged', { state: 'ready' });
  for (const payment of tell.bank) payment.transferred = Math.round((payment.received - payment.refunded) * 0.95);
  for (const { orderId, transferred: cents } of tell.bank)
    if (cents > 0) moves(tell, orderId, orderId === 'ann' ? booked : cents);
  bankOf(tell, 'ann').transferred = transferred;
};
const moves = (tell: Story, paymentId: string, cents: number): void => {
  for (const [account, sign] of [
    ['provider:transfers', -1],
    ['organizer:7', 1],
  ] as const)
    tell.rows.ledger.push({ paymentId, event: 'ShareTransferred', account, cents: sign * cents });
};
test('an organizer’s account contains the earnings that the ledger shows', () => {
  const tell = goodStory();
  passedOn(tell, 1_900, 1_900);
  expect(check(tell.evidence())).toEqual([]);
  finds('ledger', /has 1900 cents with its organizer, who by the ledger has 3800/, (all) =>
    passedOn(all, 3_800, 1_900),
  );
  finds('paidUnsettled', /has 950 cents with its organizer, who has earned 1900/, (all) => passedOn(all, 950, 950));
});

test('if an order has two intents, only the paid intent has a transfer; an unpaid order has no transfer', () => {
  const tell = goodStory();
  passedOn(tell, 1_900, 1_900);
  const stray = { ...bankOf(tell, 'ann'), paymentId: 'pi_stray', status: 'canceled', received: 0, refunded: 0 };
  tell.bank.push(stray);
  expect(check(tell.evidence())).toEqual([]);
  finds('paidUnsettled', /pi_stray of order nobody has 1900 cents with its organizer, who has earned 0/, (all) => {
    passedOn(all, 1_900, 1_900);
    all.bank.push({ ...stray, orderId: 'nobody', transferred: 1_900 });
  });
});

/** Olga paid 2999 to the platform for a promotion or an ad, and payments recorded it as fulfilled. */
const bought = (tell: Story, purpose: 'promotion' | 'ad'): BankPayment => {
  const payment = { ...bankOf(tell, 'ann'), purpose, orderId: 'olga', paymentId: 'pi_olga', amount: 2_999 };
  const paid = { ...payment, received: 2_999, refunded: 0 };
  tell.bank.push(paid);
  for (const type of ['PaymentRequested', 'PaymentSucceeded', 'PaymentFulfilled'])
    tell.log('payments', 'payment-olga', type, { paymentId: 'pi_olga' });
  tell.rows.payments.push({ orderId: 'olga', paymentId: 'pi_olga', status: 'succeeded' });
  for (const [account, cents] of [
    ['provider', 2_999],
    [`platform:${purpose}`, -2_999],
  ] as const)
    tell.rows.ledger.push({ paymentId: 'olga', event: 'PaymentSucceeded', account, cents });
  return paid;
};
/** `bought`, and the promotion started. */
const promoted = (tell: Story): BankPayment => {
  const paid = bought(tell, 'promotion');
  tell.log('catalog', 'event-1', 'PromotionStarted', { promotionId: 'olga', level: 'featured' });
  return paid;
};
/** `bought`, and the ad exists. */
const advertised = (tell: Story): BankPayment => {
  const paid = bought(tell, 'ad');
  tell.log('catalog', 'ad-olga', 'AdBought', { paymentId: 'pi_olga' });
  return paid;
};
test('a payment for an ad results in one ad or a refund', () => {
  finds('duplicate', /made 2 ads/, (tell) => {
    advertised(tell);
    tell.log('catalog', 'ad-olga', 'AdBought', { paymentId: 'pi_olga' });
  });
  finds('paidUnsettled', /has its ad and its money back/, (tell) => (advertised(tell).refunded = 2_999));
  finds('paidUnsettled', /has no ad and 0 of 2999 back/, (tell) => void bought(tell, 'ad'));
  finds('lost', /has its ad, but payments has no record of it/, (tell) => {
    advertised(tell);
    tell.logs.payments.pop();
  });
  finds('lost', /was paid, but payments has no record of it/, (tell) => {
    advertised(tell);
    tell.logs.payments = tell.logs.payments.filter(
      ({ type, stream }) => type !== 'PaymentSucceeded' || stream !== 'payment-olga',
    );
  });
});
test('a promotion that was paid has one effect or one refund', () => {
  finds('duplicate', /started 2 promotions/, (tell) => {
    promoted(tell);
    tell.log('catalog', 'event-1', 'PromotionStarted', { promotionId: 'olga', level: 'featured' });
  });
  finds('paidUnsettled', /has its promotion and its money back/, (tell) => (promoted(tell).refunded = 2_999));
  finds('paidUnsettled', /was returned and has 0 of 2999 back/, (tell) => {
    promoted(tell);
    tell.log('catalog', 'event-1', 'PromotionReturned', { promotionId: 'olga' });
  });
  finds('paidUnsettled', /has no promotion and 0 of 2999 back/, (tell) => {
    promoted(tell);
    tell.logs.catalog.pop();
  });
  finds('lost', /has its promotion, but payments has no record of it/, (tell) => {
    promoted(tell);
    tell.logs.payments.pop();
  });
  finds('paidUnsettled', /has 0 live streams/, (tell) => (promoted(tell).purpose = 'livestream'));
});
test('an ad that a client saw is in the log', () => {
  finds('lost', /payments does not know the payment of the ad/, (tell) =>
    tell.call('advertise', { paymentId: 'pi_nobody' }),
  );
});
test('a promotion that a client saw is in the log', () => {
  finds('lost', /payments does not know the payment of the promotion/, (tell) =>
    tell.call('promote', { eventId: 1, paymentId: 'pi_nobody' }),
  );
  finds('lost', /payments has no record that the promotion was paid/, (tell) =>
    tell.call('confirm-promotion', { eventId: 1, paymentId: 'pi_nobody', result: 'paid' }),
  );
});

/** One order has three of five tickets, which are canceled. */
function soldStory(): Story {
  const tell = story();
  tell.opens(5);
  tell.holds('ann', 3);
  tell.pays('ann', 3);
  tell.getsTickets('ann', 3);
  return tell;
}

test('canceling the tickets of an order one by one violates nothing, and returns the tickets to the stock', () => {
  const tell = soldStory();
  tell.cancels('ann', 2, 3);
  expect(check(tell.evidence())).toEqual([]);
  tell.cancels('ann', 1, 3, 1);
  tell.cancels('ann', 3, 3, 2);
  expect(check(tell.evidence())).toEqual([]);
  tell.refused(1, 'sold-out');
  finds('undersold', /refused/, () => undefined, tell);
});
test('duplicate: the same ticket is returned twice', () => {
  const tell = soldStory();
  tell.cancels('ann', 2, 3);
  finds('duplicate', /ticket 2 of ann is returned twice/, () => tell.cancels('ann', 2, 3, 1), tell);
});
test('paidUnsettled: a ticket was canceled, but its refund is missing or too high', () => {
  for (const cents of [-1_000, 1_000]) {
    const tell = soldStory();
    tell.cancels('ann', 2, 3);
    finds('paidUnsettled', /1 tickets fewer, and \d+ of 1000 back/, () => void (tell.bank[0]!.refunded += cents), tell);
  }
});
test('paidUnsettled: a ticket is refunded at another price than paid, or a refund differs from the sum of its tickets', () => {
  const returned = (tell: Story) => {
    tell.cancels('ann', 2, 3);
    return event(tell, 'TicketsReturned', 'ann').data;
  };
  finds(
    'paidUnsettled',
    /ticket 2 of ann comes back for 900 cents/,
    (tell) => ((returned(tell)['tickets'] as Array<{ priceCents: number }>)[0]!.priceCents = 900),
    soldStory(),
  );
  finds(
    'paidUnsettled',
    /2000 cents go back for 1 tickets of ann/,
    (tell) => (returned(tell)['amountCents'] = 2_000),
    soldStory(),
  );
  finds(
    'paidUnsettled',
    /tickets of ann for 1000 cents are recorded as remaining/,
    (tell) => ((returned(tell)['order'] as { standingCents: number }).standingCents = 1_000),
    soldStory(),
  );
});
test('paidUnsettled: tickets are sold at another price than the price when they were held', () =>
  finds('paidUnsettled', /order ann was held for 2000 cents and sold for 1800/, (tell) => {
    event(tell, 'TicketsSold', 'ann').data['lines'] = [{ quantity: 2, priceCents: 900 }];
  }));
test('lost: a refund was acknowledged, but no ticket was returned', () =>
  finds('lost', /the tickets were never returned/, (tell) =>
    tell.call('refund', { orderId: 'ann', eventId: 1, quantity: 1 }),
  ));
test('readModel: the row of a canceled ticket still shows it as valid', () => {
  const tell = soldStory();
  tell.cancels('ann', 2, 3);
  finds('readModel', /CODE-ann-1 is ann valid/, () => void (tell.rows.tickets[1]!.status = 'valid'), tell);
});

/** Lee created an account, and its erasure was acknowledged. */
function farewell(): Story {
  const tell = goodStory();
  tell.call('join', { key: 'leaver-1-gone', result: '7' });
  tell.call('erase', { key: 'leaver-1-gone', result: '7' });
  tell.people.erased.push(7);
  return tell;
}

test('the data of an erased account is nowhere; the data of an existing account may be anywhere', () => {
  const fine = farewell();
  fine.call('join', { key: 'leaver-2-gone', result: '8' });
  fine.people.left.push({ mark: 'leaver-2-gone', place: 'ticketing.checkouts' });
  expect(check(fine.evidence())).toEqual([]);
  finds(
    'notErased',
    /leaver-1-gone \(account 7\) is still in ticketing\.checkouts/,
    ({ people }) => void people.left.push({ mark: 'leaver-1-gone', place: 'ticketing.checkouts' }),
    farewell(),
  );
});

test('lost: an account reported as erased still exists', () =>
  finds('lost', /erase 7\): the account is still there/, ({ people }) => void people.erased.pop(), farewell()));
