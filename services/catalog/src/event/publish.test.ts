import { expect, test } from 'vitest';
import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { LivestreamChangedV1 } from '@beltway/contracts/catalog/livestream';
import {
  PromotionEndedV1,
  PromotionRefusedV1,
  PromotionReturnedV1,
  PromotionStartedV1,
} from '@beltway/contracts/catalog/promotion';
import { golden } from '@beltway/contracts/testing/golden';
import { posterUrl } from '@beltway/contracts/media/images';
import { messageOf, type Logged } from '@beltway/event-store';
import type { Details, ListingEvent } from './events.ts';
import { publishListing } from './publish.ts';

const details: Details = {
  title: 'Go-Go at the Wharf',
  description: 'Three bands, one pier.',
  location: 'The Wharf, DC',
  pictureUrl: '/media/images/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a-large.webp',
  videoUrl: null,
  tags: ['#music', '#rooftop'],
  eventDate: '2026-12-05T05:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: '23:30',
  contactEmail: 'booking@example.test',
  hasTickets: true,
  ticketSalesEnabled: true,
  priceCents: 2550,
  capacity: 300,
  salesStart: '2026-11-22T15:00:00.000Z',
  salesEnd: '2026-12-06T00:00:00.000Z',
  refundDeadlineHours: 24,
};
const logged = (version: number, event: ListingEvent): Logged => ({
  ...event,
  stream: 'event-42',
  id: '42',
  version,
  occurredAt: new Date('2026-11-21T12:00:00.000Z'),
  userId: 7,
  correlationId: 'd0c2a4a2-7a39-4d53-8f0e-0f6d6b6f4a11',
  causationId: 'd0c2a4a2-7a39-4d53-8f0e-0f6d6b6f4a11',
});
const purchase = {
  ...{ promotionId: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', paymentId: 'pi_3ann', amountCents: 2_999 },
  level: 'featured' as const,
};
const stream = {
  ...{ startTime: '2026-12-06T00:00:00.000Z', endTime: '2026-12-06T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false },
};
const UNTIL = '2026-11-22T12:00:00.000Z';
const events = [
  logged(1, { type: 'EventPublished', data: { ownerId: 7, details } }),
  logged(2, {
    type: 'EventUpdated',
    data: { ownerId: 7, details: { ...details, capacity: 350 }, changed: ['capacity'] },
  }),
  logged(3, { type: 'EventCanceled', data: { ownerId: 7 } }),
  logged(4, {
    type: 'PromotionStarted',
    data: { ...purchase, until: UNTIL, running: [{ level: 'featured', until: UNTIL }] },
  }),
  logged(5, { type: 'PromotionRefused', data: { ...purchase, reason: 'event-canceled' } }),
  logged(6, { type: 'PromotionEnded', data: { level: 'featured', running: [] } }),
  logged(7, { type: 'LivestreamStarted', data: stream }),
  logged(8, { type: 'PromotionReturned', data: { ...purchase, reason: 'event-canceled' } }),
];
const messages = events.flatMap(publishListing).map((one) => messageOf('catalog.events', one));

const contracts = [
  ['catalog.event-published.v1', EventPublishedV1],
  ['catalog.event-updated.v1', EventUpdatedV1],
  ['catalog.event-canceled.v1', EventCanceledV1],
  ['catalog.promotion-started.v1', PromotionStartedV1],
  ['catalog.promotion-refused.v1', PromotionRefusedV1],
  ['catalog.promotion-ended.v1', PromotionEndedV1],
  ['catalog.livestream-changed.v1', LivestreamChangedV1],
  ['catalog.promotion-returned.v1', PromotionReturnedV1],
] as const;

test.each(contracts.map(([name, schema], index) => ({ name, schema, message: messages[index] })))(
  'still writes $name as its contract defines it, and reads all of its fields',
  ({ name, schema, message }) => {
    expect(message).toEqual(golden(name));
    expect(schema.parse(golden(name))).toEqual(golden(name));
  },
);

test.each(contracts)('reads %s with fields that a later version may add', (name, schema) => {
  const message = golden(name);
  const later = { ...message, traceId: 'x', data: { ...(message['data'] as object), color: 'red' } };
  expect(schema.parse(later)).toEqual(message);
});

test('publishes no data that only the organizer may see', () => {
  expect(JSON.stringify(messages)).not.toContain('booking@example.test');
});

test('publishes a drawn poster for an event without a picture', () => {
  const plain = { ...details, pictureUrl: null };
  const said = (of: Details) =>
    publishListing(logged(1, { type: 'EventPublished', data: { ownerId: 7, details: of } }))[0]?.data;
  expect(said(plain)).toMatchObject({ imageUrl: posterUrl({ eventId: 42, ...plain }) });
  expect(said({ ...plain, title: 'Else' })).not.toMatchObject({ imageUrl: posterUrl({ eventId: 42, ...plain }) });
});

test('reports a postponed event without a date or ticket sales until it has a new date', () => {
  const said = (event: ListingEvent) => {
    const [message] = publishListing(logged(4, event));
    const { isPostponed, salesEnabled } = EventUpdatedV1.parse(messageOf('catalog.events', message!)).data;
    return [message?.type, isPostponed, salesEnabled];
  };
  const data = { ownerId: 7, details };
  expect(said({ type: 'EventPostponed', data })).toEqual(['catalog.event-updated', true, false]);
  expect(said({ type: 'EventUpdated', data: { ...data, changed: ['title'], isPostponed: true } })).toEqual([
    ...['catalog.event-updated', true, false],
  ]);
  expect(said({ type: 'EventRescheduled', data: { ...data, changed: ['eventDate'] } })).toEqual([
    ...['catalog.event-updated', undefined, true],
  ]);
});

test('the poster of a postponed event does not show the old date', () => {
  const plain = { ...details, pictureUrl: null };
  const said = (event: ListingEvent) => (publishListing(logged(4, event))[0]?.data as { imageUrl: string }).imageUrl;
  const data = { ownerId: 7, details: plain };
  expect(said({ type: 'EventPostponed', data })).toBe(posterUrl({ eventId: 42, ...plain }, 'large', 'plain'));
  expect(said({ type: 'EventRescheduled', data: { ...data, changed: [] } })).toBe(posterUrl({ eventId: 42, ...plain }));
  expect(said({ type: 'EventPostponed', data: { ownerId: 7, details } })).toBe(details.pictureUrl);
});
