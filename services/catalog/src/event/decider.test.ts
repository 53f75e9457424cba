import { describe, expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { listing } from './decider.ts';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { PromotionRefusal } from '@beltway/contracts/catalog/promotion';
import type { Details, ListingCommand, ListingEvent, Livestream, Running } from './events.ts';

const given = scenarios(listing);

const details: Details = {
  title: 'Go-Go at the Wharf',
  description: 'Three bands, one pier.',
  location: 'The Wharf, DC',
  pictureUrl: null,
  videoUrl: null,
  tags: ['#music'],
  eventDate: '2026-12-05T05:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: null,
  contactEmail: 'booking@example.test',
  hasTickets: true,
  ticketSalesEnabled: true,
  priceCents: 2500,
  capacity: 100,
  salesStart: null,
  salesEnd: null,
  refundDeadlineHours: 24,
};
const free: Details = { ...details, hasTickets: false, ticketSalesEnabled: false, priceCents: null, capacity: null };

const NOW = '2026-12-01T12:00:00.000Z';
/** Three hours after the start, because the event has no end time. */
const END = '2026-12-06T03:00:00.000Z';
const BEFORE_END = '2026-12-06T02:59:59.999Z';
const publish = (of: Details, at = NOW): ListingCommand => ({ type: 'PublishEvent', organizerId: 7, details: of, at });
const change = (
  changes: Partial<Details>,
  more: { taken?: number; seen?: number; at?: string; afterEnd?: true } = {},
): ListingCommand => ({
  type: 'UpdateEvent',
  changes,
  taken: 0,
  at: NOW,
  ...more,
});
const cancel: ListingCommand = { type: 'CancelEvent', at: NOW };
const postpone = (at = NOW, seen?: number): ListingCommand => ({
  type: 'PostponeEvent',
  at,
  ...(seen !== undefined && { seen }),
});

const published: ListingEvent = { type: 'EventPublished', data: { ownerId: 7, details } };
const publishedFree: ListingEvent = { type: 'EventPublished', data: { ownerId: 7, details: free } };
const canceled: ListingEvent = { type: 'EventCanceled', data: { ownerId: 7 } };
const postponed: ListingEvent = { type: 'EventPostponed', data: { ownerId: 7, details } };
const rescheduled = (after: Details, ...changed: Array<keyof Details>): ListingEvent => ({
  type: 'EventRescheduled',
  data: { ownerId: 7, details: after, changed },
});
const updated = (after: Details, ...changed: Array<keyof Details>): ListingEvent => ({
  type: 'EventUpdated',
  data: { ownerId: 7, details: after, changed },
});

test('publishes an event', () => given().when(publish(details)).yields(published));

test('publishes an event once', () => given(published).when(publish(details)).rejects('already-published'));

test('sells no tickets without a price', () =>
  given()
    .when(publish({ ...details, priceCents: null }))
    .rejects('price-missing'));

test('sells no tickets without a number of tickets', () =>
  given()
    .when(publish({ ...details, capacity: null }))
    .rejects('capacity-missing'));

test('an event without tickets needs no price and no number of tickets', () =>
  given().when(publish(free)).yields(publishedFree));

test('requires ticket sales to end after they start', () =>
  given()
    .when(publish({ ...details, salesStart: '2026-12-02T00:00:00.000Z', salesEnd: '2026-12-01T00:00:00.000Z' }))
    .rejects('sales-end-before-start'));

test('ticket sales need some time between their start and their end', () => {
  const salesFrom = (salesStart: string, salesEnd: string) => ({ ...details, salesStart, salesEnd });
  given()
    .when(publish(salesFrom('2026-12-02T00:00:00.000Z', '2026-12-02T00:00:00.000Z')))
    .rejects('sales-end-before-start');
  const good = salesFrom('2026-12-02T00:00:00.000Z', '2026-12-02T00:00:00.001Z');
  given()
    .when(publish(good))
    .yields({ type: 'EventPublished', data: { ownerId: 7, details: good } });
});

test('every later event of a series date contains the series', () => {
  const ofSeries: ListingEvent = { type: 'EventPublished', data: { ownerId: 7, details, seriesId: 3 } };
  given()
    .when({ ...publish(details), seriesId: 3 } as ListingCommand)
    .yields(ofSeries);
  given(ofSeries)
    .when(postpone())
    .yields({ type: 'EventPostponed', data: { ownerId: 7, details, seriesId: 3 } });
});

// 19:00 in New York.
const START = '2026-12-06T00:00:00.000Z';
const JUST_BEFORE = '2026-12-05T23:59:59.999Z';

test('an event can be published until the moment it starts, and not afterwards', () => {
  given().when(publish(details, JUST_BEFORE)).yields(published);
  given().when(publish(details, START)).rejects('start-in-past');
  given().when(publish(details, '2026-12-06T04:59:59.999Z')).rejects('start-in-past');
  given().when(publish(details, '2026-12-06T05:00:00.000Z')).rejects('date-in-past');
});

test('rejects a change that moves an event to a start in the past', () => {
  given(published)
    .when(change({ eventDate: '2026-11-30T05:00:00.000Z' }))
    .rejects('date-in-past');
  given(published)
    .when(change({ eventStartTime: '18:00' }, { at: JUST_BEFORE }))
    .rejects('start-in-past');
});

test('an event that has begun can be changed except for its start, or be moved to a later start', () => {
  given(published)
    .when(change({ title: 'x', eventDate: details.eventDate }, { at: '2027-01-01T00:00:00.000Z' }))
    .yields(updated({ ...details, title: 'x' }, 'title'));
  given(published)
    .when(change({ eventStartTime: '21:00' }, { at: START }))
    .yields(updated({ ...details, eventStartTime: '21:00' }, 'eventStartTime'));
});

test('a day that older code stored as midnight UTC counts as the same day when it is sent again', () => {
  const bare = { ...details, eventDate: '2026-12-05T00:00:00.000Z' };
  given({ type: 'EventPublished', data: { ownerId: 7, details: bare } })
    .when(change({ eventDate: details.eventDate }, { at: '2027-01-01T00:00:00.000Z' }))
    .yields(updated(details, 'eventDate'));
});

test('an update contains the whole event and the changed fields', () =>
  given(published)
    .when(change({ title: 'Go-Go on the Pier', tags: ['#music', '#free'] }))
    .yields(updated({ ...details, title: 'Go-Go on the Pier', tags: ['#music', '#free'] }, 'title', 'tags')));

test('changes an event that was changed before', () =>
  given(published, updated({ ...details, title: 'Go-Go on the Pier' }, 'title'))
    .when(change({ location: 'Anacostia Park' }))
    .yields(updated({ ...details, title: 'Go-Go on the Pier', location: 'Anacostia Park' }, 'location')));

test('does nothing if no field changes', () =>
  given(published)
    .when(change({ title: details.title, tags: ['#music'] }))
    .yields());

test('cannot change an event that was never published', () =>
  given()
    .when(change({ title: 'x' }))
    .rejects('no-such-event'));

test('never changes a canceled event', () =>
  given(published, canceled)
    .when(change({ title: 'x' }))
    .rejects('event-canceled'));

test('rejects a capacity below the number of sold and held tickets', () =>
  given(published)
    .when(change({ capacity: 41 }, { taken: 42 }))
    .rejects('capacity-below-taken'));

test('the capacity may be reduced to exactly the number of sold and held tickets', () =>
  given(published)
    .when(change({ capacity: 42 }, { taken: 42 }))
    .yields(updated({ ...details, capacity: 42 }, 'capacity')));

test('the title can be changed while more tickets are taken than the capacity allows', () =>
  given(published)
    .when(change({ title: 'x' }, { taken: 101 }))
    .yields(updated({ ...details, title: 'x' }, 'title')));

test('ticket sales cannot be removed once tickets are sold or held', () =>
  given(published)
    .when(change({ hasTickets: false }, { taken: 1 }))
    .rejects('tickets-taken'));

test('ticket sales can be removed while no ticket is taken; only a removal is checked for this', () => {
  given(published)
    .when(change({ hasTickets: false }))
    .yields(updated({ ...details, hasTickets: false }, 'hasTickets'));
  given(publishedFree)
    .when(change({ title: 'x' }, { taken: 1 }))
    .yields(updated({ ...free, title: 'x' }, 'title'));
  const added = { ...free, hasTickets: true, priceCents: 2500, capacity: 100 };
  given(publishedFree)
    .when(change({ hasTickets: true, priceCents: 2500, capacity: 100 }, { taken: 1 }))
    .yields(updated(added, 'hasTickets', 'priceCents', 'capacity'));
});

test('the text of a refusal is singular for one ticket and plural for several', () => {
  const refusal = (taken: number) => () =>
    listing.decide(change({ capacity: 0 }, { taken }), listing.evolve(listing.initial(), published));
  expect(refusal(1)).toThrow('1 ticket is already sold or held.');
  expect(refusal(2)).toThrow('2 tickets are already sold or held.');
});

test('the sale may be paused after tickets were sold', () =>
  given(published)
    .when(change({ ticketSalesEnabled: false }, { taken: 42 }))
    .yields(updated({ ...details, ticketSalesEnabled: false }, 'ticketSalesEnabled')));

test('requires price and number when tickets are added later', () =>
  given(publishedFree)
    .when(change({ hasTickets: true }))
    .rejects('price-missing'));

test('refuses a change by someone who saw an older version', () =>
  given(published, updated({ ...details, title: 'y' }, 'title'))
    .when(change({ title: 'x' }, { seen: 1 }))
    .rejects('changed-meanwhile'));

test('accepts a change by someone who saw the current version', () =>
  given(published, updated({ ...details, title: 'y' }, 'title'))
    .when(change({ title: 'x' }, { seen: 2 }))
    .yields(updated({ ...details, title: 'x' }, 'title')));

test('cancels an event', () => given(published).when(cancel).yields(canceled));

test('the organizer can cancel an event until its end, and afterwards an admin who has seen the refunds', () => {
  const over = (more: object = {}): ListingCommand => ({ type: 'CancelEvent', at: END, ...more });
  given(published).when({ type: 'CancelEvent', at: BEFORE_END }).yields(canceled);
  given(published).when(over()).rejects('event-over');
  given(published)
    .when(over({ afterEnd: true }))
    .yields(canceled);
  // A postponed event has no end.
  given(published, postponed).when(over()).yields(canceled);
  given(published, canceled)
    .when(over({ afterEnd: true }))
    .rejects('event-canceled');
});

test('a past event cannot be moved to a later time, so its organizer cannot cancel it again; corrections are possible', () => {
  const late = { at: END };
  for (const change_ of [{ eventDate: NEW_DAY }, { eventEndTime: '23:30' }])
    given(published).when(change(change_, late)).rejects('event-over');
  given(published)
    .when(change({ eventDate: NEW_DAY }, { ...late, afterEnd: true }))
    .yields(updated({ ...details, eventDate: NEW_DAY }, 'eventDate'));
  given(published)
    .when(change({ title: 'x', eventEndTime: '21:30' }, late))
    .yields(updated({ ...details, title: 'x', eventEndTime: '21:30' }, 'title', 'eventEndTime'));
});

test('cancels an event once', () => given(published, canceled).when(cancel).rejects('event-canceled'));

test('cannot cancel an event that was never published', () => given().when(cancel).rejects('no-such-event'));

const erased: ListingEvent = { type: 'ContactErased', data: { ownerId: 7 } };
test('a contact address is erased once, and the rest of the event stays', () => {
  const erase: ListingCommand = { type: 'EraseContact' };
  given(published).when(erase).yields(erased);
  given(published, erased).when(erase).yields();
  given().when(erase).yields();
  given(published, erased)
    .when(change({ title: 'x' }))
    .yields(updated({ ...details, contactEmail: '', title: 'x' }, 'title'));
});

const NEW_DAY = '2027-02-06T05:00:00.000Z';

test('an event can be postponed once, until its end', () => {
  given(published).when(postpone()).yields(postponed);
  given(published).when(postpone('2026-12-06T02:59:59.999Z')).yields(postponed);
  given(published).when(postpone('2026-12-06T03:00:00.000Z')).rejects('event-over');
  given(published, postponed).when(postpone()).rejects('already-postponed');
  given(published, canceled).when(postpone()).rejects('event-canceled');
  given().when(postpone()).rejects('no-such-event');
});

test('does not postpone an event that changed since the organizer saw it', () =>
  given(published, updated({ ...details, title: 'y' }, 'title'))
    .when(postpone(NOW, 1))
    .rejects('changed-meanwhile'));

test('gives a postponed event a new date, and sells tickets again', () => {
  const moved = { ...details, eventDate: NEW_DAY, eventStartTime: '20:00' };
  given(published, postponed)
    .when(change({ eventDate: NEW_DAY, eventStartTime: '20:00' }))
    .yields(rescheduled(moved, 'eventDate', 'eventStartTime'));
  given(published, postponed, rescheduled(moved, 'eventDate'))
    .when(postpone('2027-02-01T00:00:00.000Z'))
    .yields({ type: 'EventPostponed', data: { ownerId: 7, details: moved } });
});

test('a postponed event can take place on its old date again, if that is not in the past', () => {
  given(published, postponed)
    .when(change({ eventDate: details.eventDate }))
    .yields(rescheduled(details));
  given(published, postponed)
    .when(change({ eventDate: details.eventDate }, { at: START }))
    .rejects('start-in-past');
});

test('a postponed event can be changed without a new date at any time', () => {
  given(published, postponed)
    .when(change({ title: 'x', eventStartTime: '21:00' }, { at: '2027-01-01T00:00:00.000Z' }))
    .yields({
      type: 'EventUpdated',
      data: {
        ownerId: 7,
        details: { ...details, title: 'x', eventStartTime: '21:00' },
        changed: ['title', 'eventStartTime'],
        isPostponed: true,
      },
    });
  given(published, postponed)
    .when(change({ title: details.title }))
    .yields();
});

test('cancels a postponed event', () => given(published, postponed).when(cancel).yields(canceled));

test('a capacity below what is sold is refused for a postponed event too', () =>
  given(published, postponed)
    .when(change({ capacity: 41, eventDate: NEW_DAY }, { taken: 42 }))
    .rejects('capacity-below-taken'));

const purchase = {
  ...{ promotionId: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', paymentId: 'pi_1', amountCents: 2_999 },
  level: 'featured' as const,
};
const start = (at = NOW, level: 'featured' | 'premium' = 'featured', hours = 24): ListingCommand => ({
  type: 'StartPromotion',
  ...{ purchase: { ...purchase, level }, hours, at },
});
const end = (at: string): ListingCommand => ({ type: 'EndPromotions', at });
const NEXT_DAY = '2026-12-02T12:00:00.000Z';
const THIRD_DAY = '2026-12-03T12:00:00.000Z';
const featured = (until: string): ListingEvent => ({
  type: 'PromotionStarted',
  data: { ...purchase, until, running: [{ level: 'featured', until }] },
});
const premium: ListingEvent = {
  type: 'PromotionStarted',
  data: {
    ...{ ...purchase, level: 'premium', until: THIRD_DAY },
    running: [
      { level: 'featured', until: NEXT_DAY },
      { level: 'premium', until: THIRD_DAY },
    ],
  },
};
const refused = (reason: PromotionRefusal): ListingEvent => ({
  type: 'PromotionRefused',
  data: { ...purchase, reason },
});

test('a promotion begins when the message about its payment arrives, and lasts for the bought hours', () =>
  given(published).when(start()).yields(featured(NEXT_DAY)));
test('a second purchase begins when the first ends, or now if the first is over', () => {
  given(published, featured(NEXT_DAY)).when(start('2026-12-01T13:00:00.000Z')).yields(featured(THIRD_DAY));
  given(published, featured(NEXT_DAY))
    .when(start('2026-12-02T18:00:00.000Z'))
    .yields(featured('2026-12-03T18:00:00.000Z'));
});
test('each level has a separate end, and ends once when its time is over', () => {
  given(published, featured(NEXT_DAY))
    .when(start(NOW, 'premium', 48))
    .yields(premium);
  given(published, featured(NEXT_DAY), premium).when(end('2026-12-02T11:59:59.999Z')).yields();
  const featuredEnded: ListingEvent = {
    type: 'PromotionEnded',
    data: { level: 'featured', running: [{ level: 'premium', until: THIRD_DAY }] },
  };
  const premiumEnded: ListingEvent = { type: 'PromotionEnded', data: { level: 'premium', running: [] } };
  given(published, featured(NEXT_DAY), premium).when(end(NEXT_DAY)).yields(featuredEnded);
  given(published, featured(NEXT_DAY), premium).when(end(THIRD_DAY)).yields(featuredEnded, premiumEnded);
  given(published, featured(NEXT_DAY), premium, featuredEnded, premiumEnded).when(end(THIRD_DAY)).yields();
});
test('a promotion that is no longer possible is refused, so that it is refunded', () => {
  given().when(start()).yields(refused('no-such-event'));
  given(published, canceled).when(start()).yields(refused('event-canceled'));
  given(published, postponed).when(start()).yields(refused('event-postponed'));
  given(published).when(start('2026-12-09T12:00:00.000Z')).yields(refused('event-over'));
});
test('canceling an event ends its promotions', () =>
  given(published, featured(NEXT_DAY), canceled).when(end(THIRD_DAY)).yields());
test('a promotion does not count as a change for the organizer’s version', () => {
  given(published, featured(NEXT_DAY))
    .when(change({ title: 'Go-Go' }, { seen: 1 }))
    .yields({
      type: 'EventUpdated',
      data: { ownerId: 7, details: { ...details, title: 'Go-Go' }, changed: ['title'] },
    });
  given(published, featured(NEXT_DAY))
    .when(change({ title: 'Go-Go' }, { seen: 2 }))
    .rejects('changed-meanwhile');
});

/** From one hour before until two hours after the start of the event, which is at midnight UTC. */
const stream: Livestream = {
  ...{ startTime: '2026-12-05T23:00:00.000Z', endTime: '2026-12-06T02:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false },
};
const EVENT_STARTS = '2026-12-06T00:00:00.000Z';
const live = { ...purchase, level: 'livestream' as const };
const startLive = (at = NOW, changes: Partial<PaidLivestream> = {}): ListingCommand => ({
  type: 'StartPromotion',
  ...{ purchase: live, hours: 48, at },
  livestream: { ...stream, eventStartsAt: EVENT_STARTS, ...changes },
});
const promoted: ListingEvent = {
  type: 'PromotionStarted',
  data: { ...live, until: THIRD_DAY, running: [{ level: 'livestream', until: THIRD_DAY }] },
};
const { promotionId } = purchase;
const scheduled: ListingEvent = { type: 'LivestreamScheduled', data: { ...stream, promotionId } };
const started: ListingEvent = { type: 'LivestreamStarted', data: stream };
const over: ListingEvent = { type: 'LivestreamEnded', data: stream };
const advance = (at: string): ListingCommand => ({ type: 'AdvanceLivestream', at });
const unlive = (reason: PromotionRefusal): ListingEvent => ({ type: 'PromotionRefused', data: { ...live, reason } });

test('a live stream is scheduled with its promotion', () =>
  given(published).when(startLive()).yields(promoted, scheduled));
test('a stream starts once and ends once at its times; if the job was late, it starts and ends in one command', () => {
  given(published, promoted, scheduled).when(advance('2026-12-05T22:59:59.999Z')).yields();
  given(published, promoted, scheduled).when(advance(stream.startTime)).yields(started);
  given(published, promoted, scheduled, started).when(advance('2026-12-06T01:59:59.999Z')).yields();
  given(published, promoted, scheduled, started).when(advance(stream.endTime)).yields(over);
  given(published, promoted, scheduled).when(advance('2026-12-07T00:00:00.000Z')).yields(started, over);
  given(published, promoted, scheduled, started, over).when(advance('2026-12-07T00:00:00.000Z')).yields();
  given(published).when(advance(stream.endTime)).yields();
});
test('a stream that is no longer possible is refused together with its promotion, so that both are refunded', () => {
  given().when(startLive()).yields(unlive('no-such-event'));
  given(published, canceled).when(startLive()).yields(unlive('event-canceled'));
  given(published, postponed).when(startLive()).yields(unlive('event-postponed'));
  given(published).when(startLive('2026-12-06T02:30:00.000Z')).yields(unlive('livestream-over'));
  given(published).when(startLive(stream.endTime)).yields(unlive('livestream-over'));
  given(published).when(startLive('2026-12-06T03:00:00.000Z')).yields(unlive('event-over'));
});
test('an event has one live stream at a time', () => {
  given(published, promoted, scheduled).when(startLive()).yields(unlive('livestream-exists'));
  given(published, promoted, scheduled, started).when(startLive()).yields(unlive('livestream-exists'));
  const next = { startTime: '2026-12-06T02:15:00.000Z', endTime: '2026-12-06T02:45:00.000Z' };
  given(published, promoted, scheduled, started, over)
    .when(startLive('2026-12-06T02:10:00.000Z', next))
    .yields(
      {
        type: 'PromotionStarted',
        data: {
          ...{ ...live, until: '2026-12-08T02:10:00.000Z' },
          running: [{ level: 'livestream', until: '2026-12-08T02:10:00.000Z' }],
        },
      },
      { type: 'LivestreamScheduled', data: { ...stream, ...next, promotionId } },
    );
});
test('if a purchase lacks the event’s start, the stream takes place at its configured hours', () =>
  given(published)
    .when(startLive(NOW, { eventStartsAt: null }))
    .yields(promoted, scheduled));
test('an upcoming stream is moved with its event by the same time', () => {
  const later = { ...details, eventStartTime: '20:30' };
  const moved: ListingEvent = {
    type: 'LivestreamMoved',
    data: { ...stream, startTime: '2026-12-06T00:30:00.000Z', endTime: '2026-12-06T03:30:00.000Z' },
  };
  const update = change({ eventStartTime: '20:30' });
  given(published, promoted, scheduled).when(update).yields(updated(later, 'eventStartTime'), moved);
  given(published, promoted, scheduled, started).when(update).yields(updated(later, 'eventStartTime'));
  given(published, promoted, scheduled)
    .when(change({ title: 'Go-Go' }))
    .yields(updated({ ...details, title: 'Go-Go' }, 'title'));
  given(published, promoted, scheduled, updated(later, 'eventStartTime'), moved)
    .when(advance('2026-12-06T00:29:59.999Z'))
    .yields();
});
test('a stream bought for the event’s former hours takes place at its current ones', () =>
  given(published)
    .when(startLive(NOW, { eventStartsAt: '2026-12-05T00:00:00.000Z' }))
    .yields(promoted, {
      type: 'LivestreamScheduled',
      data: { ...stream, promotionId, startTime: '2026-12-06T23:00:00.000Z', endTime: '2026-12-07T02:00:00.000Z' },
    }));
describe('a purchase whose payment no longer counts', () => {
  const withdraw = (
    of: Partial<typeof purchase> | typeof live,
    hours: number,
    at: string,
    reason: PaymentLoss = 'refunded',
  ): ListingCommand => ({ type: 'WithdrawPromotion', purchase: { ...purchase, ...of }, hours, reason, at });
  const withdrawn = (of: object, running: Running[], reason: PaymentLoss = 'refunded'): ListingEvent => ({
    type: 'PromotionReturned',
    data: { ...purchase, ...of, reason, running },
  });
  const NOON_LATER = '2026-12-02T00:00:00.000Z';

  test('the purchase ends immediately and only once; other purchases stay in force', () => {
    given(published, featured(NEXT_DAY))
      .when(withdraw({}, 24, NOON_LATER))
      .yields(withdrawn({}, []));
    given(published, featured(NEXT_DAY), withdrawn({}, []))
      .when(withdraw({}, 24, NOON_LATER, 'dispute-lost'))
      .yields();
    given(published, featured(NEXT_DAY), premium)
      .when(withdraw({}, 24, NOON_LATER, 'disputed'))
      .yields(withdrawn({}, [{ level: 'premium', until: THIRD_DAY }], 'disputed'));
  });
  test('if a level was bought twice, only the remaining time of the withdrawn purchase is removed', () => {
    const second = { promotionId: 'c9b1f9c6-7b63-4f0e-9a57-5f3f9f2f7a11' };
    const twice: ListingEvent = {
      type: 'PromotionStarted',
      data: { ...purchase, ...second, until: THIRD_DAY, running: [{ level: 'featured', until: THIRD_DAY }] },
    };
    const log = [published, featured(NEXT_DAY), twice];
    // Half a day of the first purchase is left, and all of the second.
    const half = [{ level: 'featured' as const, until: '2026-12-03T00:00:00.000Z' }];
    given(...log)
      .when(withdraw({}, 24, NOON_LATER))
      .yields(withdrawn({}, half));
    given(...log)
      .when(withdraw(second, 24, NOON_LATER))
      .yields(withdrawn(second, [{ level: 'featured', until: NEXT_DAY }]));
    // The second purchase moved up, so without it no promotion is left.
    given(...log, withdrawn({}, half))
      .when(withdraw(second, 24, '2026-12-02T06:00:00.000Z'))
      .yields(withdrawn(second, []));
    // Canceling the event returns only purchases that are still in force.
    given(...log, withdrawn({}, half))
      .when({ ...cancel, at: NOON_LATER } as ListingCommand)
      .yields(canceled, { type: 'PromotionReturned', data: { ...purchase, ...second, reason: 'event-canceled' } });
  });
  test('a purchase that is over changes no level in force', () =>
    given(published, featured(NEXT_DAY), { type: 'PromotionEnded', data: { level: 'featured', running: [] } })
      .when(withdraw({}, 24, THIRD_DAY))
      .yields(withdrawn({}, [])));
  test('the live stream of the purchase ends, upcoming or live, and no other stream', () => {
    for (const log of [[], [started]])
      given(published, promoted, scheduled, ...log)
        .when(withdraw(live, 48, NOON_LATER))
        .yields(withdrawn(live, []), over);
    given(published, promoted, scheduled, started, over)
      .when(withdraw(live, 48, NOON_LATER))
      .yields(withdrawn(live, []));
    const other = { ...live, promotionId: 'c9b1f9c6-7b63-4f0e-9a57-5f3f9f2f7a11' };
    given(published, promoted, scheduled)
      .when(withdraw(other, 48, NOON_LATER))
      .yields(withdrawn(other, [{ level: 'livestream', until: THIRD_DAY }]));
  });
  test('a purchase that arrives after its withdrawal starts nothing', () => {
    given(published)
      .when(withdraw({}, 24, NOW))
      .yields(withdrawn({}, []));
    given(published, withdrawn({}, [])).when(start()).yields(refused('payment-lost'));
    given(published, withdrawn(live, [])).when(startLive()).yields(unlive('payment-lost'));
  });
  test('the purchase is withdrawn once, even if it was refused or returned before', () => {
    given(published, refused('event-over'))
      .when(withdraw({}, 24, NOW))
      .yields();
    given(published, featured(NEXT_DAY), canceled, {
      type: 'PromotionReturned',
      data: { ...purchase, reason: 'event-canceled' },
    })
      .when(withdraw({}, 24, NOW))
      .yields();
  });
});

test('a stream does not go live while its event has no date, and moves with the new date', () => {
  given(published, promoted, scheduled, postponed).when(advance(stream.endTime)).yields();
  const next = { ...details, eventDate: '2026-12-12T05:00:00.000Z' };
  given(published, promoted, scheduled, postponed)
    .when(change({ eventDate: next.eventDate }))
    .yields(rescheduled(next, 'eventDate'), {
      type: 'LivestreamMoved',
      data: { ...stream, startTime: '2026-12-12T23:00:00.000Z', endTime: '2026-12-13T02:00:00.000Z' },
    });
});
test('postponing or canceling an event ends its live stream', () => {
  given(published, promoted, scheduled, started).when(postpone('2026-12-06T00:30:00.000Z')).yields(postponed, over);
  given(published, promoted, scheduled, canceled).when(advance(stream.startTime)).yields();
});
test('a stream does not count as a change for the organizer’s version', () =>
  given(published, promoted, scheduled)
    .when(change({ title: 'Go-Go' }, { seen: 1 }))
    .yields(updated({ ...details, title: 'Go-Go' }, 'title')));

const back = (of: typeof purchase | typeof live): ListingEvent => ({
  type: 'PromotionReturned',
  data: { ...of, reason: 'event-canceled' },
});
const cancelAt = (at: string): ListingCommand => ({ type: 'CancelEvent', at });
test('canceling an event returns promotions in force, but no promotion that is over', () => {
  given(published, featured(NEXT_DAY)).when(cancelAt('2026-12-02T11:59:59.999Z')).yields(canceled, back(purchase));
  given(published, featured(NEXT_DAY)).when(cancelAt(NEXT_DAY)).yields(canceled);
  given(published, featured(NEXT_DAY), featured(THIRD_DAY)).when(cancelAt(NEXT_DAY)).yields(canceled, back(purchase));
});
test('a live stream is returned until it is over, even if its promotion is over earlier', () => {
  const late = '2026-12-05T22:00:00.000Z';
  given(published, promoted, scheduled).when(cancelAt(late)).yields(canceled, back(live));
  given(published, promoted, scheduled, started).when(cancelAt(late)).yields(canceled, back(live));
  given(published, promoted, scheduled, started, over).when(cancelAt(stream.endTime)).yields(canceled);
});

const DAYS = { eventDate: '2026-12-05T05:00:00.000Z', eventLastDate: '2026-12-07T05:00:00.000Z' };
const festival: Details = { ...details, ...DAYS };
const publishedFestival: ListingEvent = { type: 'EventPublished', data: { ownerId: 7, details: festival } };

test('an event takes up to 31 days, and its last day comes after its first day', () => {
  given().when(publish(festival)).yields(publishedFestival);
  const lasting = (eventLastDate: string) => publish({ ...details, eventLastDate });
  given().when(lasting('2026-12-04T05:00:00.000Z')).rejects('last-date');
  given().when(lasting('2027-01-05T05:00:00.000Z')).rejects('last-date');
  const longest = { ...details, eventLastDate: '2027-01-04T05:00:00.000Z' };
  given()
    .when(publish(longest))
    .yields({ type: 'EventPublished', data: { ownerId: 7, details: longest } });
});

test('an event without a last day, or with a last day equal to the first, is stored as an event of one day', () => {
  for (const eventLastDate of [details.eventDate, '2026-12-05T00:00:00.000Z', null])
    given()
      .when(publish({ ...details, eventLastDate }))
      .yields(published);
  given(published)
    .when(change({ eventLastDate: null }))
    .yields();
});

test('a change of the first day keeps the number of days, unless a last day is sent, too', () => {
  const later = { ...festival, eventDate: '2026-12-12T05:00:00.000Z' };
  given(publishedFestival)
    .when(change({ eventDate: later.eventDate }))
    .yields(updated({ ...later, eventLastDate: '2026-12-14T05:00:00.000Z' }, 'eventDate', 'eventLastDate'));
  given(publishedFestival)
    .when(change({ eventDate: later.eventDate, eventLastDate: '2026-12-13T05:00:00.000Z' }))
    .yields(updated({ ...later, eventLastDate: '2026-12-13T05:00:00.000Z' }, 'eventDate', 'eventLastDate'));
  given(publishedFestival)
    .when(change({ eventLastDate: null }))
    .yields(updated(details, 'eventLastDate'));
  given(publishedFestival)
    .when(change({ eventLastDate: '2027-02-01T05:00:00.000Z' }))
    .rejects('last-date');
});

test('an event of several days is over after its last day, and may get another day until then', () => {
  const lastEnd = '2026-12-08T03:00:00.000Z';
  const before = '2026-12-08T02:59:59.999Z';
  const longer = { ...festival, eventLastDate: '2026-12-08T05:00:00.000Z' };
  given(publishedFestival)
    .when(change({ eventLastDate: longer.eventLastDate }, { at: before }))
    .yields(updated(longer, 'eventLastDate'));
  given(publishedFestival)
    .when(change({ eventLastDate: longer.eventLastDate }, { at: lastEnd }))
    .rejects('event-over');
  given(publishedFestival)
    .when({ ...cancel, at: before } as ListingCommand)
    .yields(canceled);
  given(publishedFestival)
    .when({ ...cancel, at: lastEnd } as ListingCommand)
    .rejects('event-over');
  given(publishedFestival)
    .when(postpone(before))
    .yields({ type: 'EventPostponed', data: { ownerId: 7, details: festival } });
});

test('a postponed event of several days keeps its number of days when it gets a new date', () => {
  const next = { ...festival, eventDate: '2027-03-12T05:00:00.000Z', eventLastDate: '2027-03-14T05:00:00.000Z' };
  given(publishedFestival, { type: 'EventPostponed', data: { ownerId: 7, details: festival } })
    .when(change({ eventDate: next.eventDate }))
    // Daylight saving time begins that night.
    .yields(rescheduled({ ...next, eventLastDate: '2027-03-14T05:00:00.000Z' }, 'eventDate', 'eventLastDate'));
});
