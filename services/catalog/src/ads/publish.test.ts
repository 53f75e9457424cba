import { AdApprovedV1, AdReadyV1, AdRefusedV1, AdRejectedV1 } from '@beltway/contracts/payments/ads';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import { expect, test } from 'vitest';
import type { AdEvent } from './events.ts';
import { publishAd } from './publish.ts';

const AD = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f11';
const CORRELATION = 'd0c2a4a2-7a39-4d53-8f0e-0f6d6b6f4a11';
const content = {
  imageUrl: '/media/images/0a-large.webp',
  linkUrl: 'https://wharf.test/',
  title: 'Go-Go',
  alt: 'A pier',
};

const logged = (version: number, event: AdEvent): AdEvent & Logged => ({
  ...event,
  stream: `ad-${AD}`,
  id: AD,
  version,
  occurredAt: new Date('2026-11-21T12:00:00Z'),
  userId: null,
  correlationId: CORRELATION,
  causationId: CORRELATION,
});

const bought: AdEvent = {
  type: 'AdBought',
  data: {
    ...{ paymentId: 'pi_3ann', packageId: 'banner-7d', amountCents: 4_999, slot: 'banner', days: 7 },
    ...{ maxImpressions: 5_000, guaranteedImpressions: null, businessName: 'The Wharf', eventTitle: 'Go-Go Night' },
    keyHash: 'a'.repeat(64),
  },
};
const approved: AdEvent = {
  type: 'AdApproved',
  data: {
    ...{ paymentId: 'pi_3ann', submission: 1, content },
    ...{ startsAt: '2026-11-21T12:00:00.000Z', until: '2026-11-28T12:00:00.000Z' },
  },
};
const rejected: AdEvent = {
  type: 'AdRejected',
  data: {
    ...{ paymentId: 'pi_3ann', submission: 1, wasShown: false },
    reason: 'The picture shows a brand that is not yours',
  },
};

const refused: AdEvent = {
  type: 'AdRefused',
  data: { paymentId: 'pi_3ann', amountCents: 4_999, submission: 1, reason: 'We show no such ads' },
};

test.each([
  ['catalog.ad-ready.v1', AdReadyV1, bought, 1],
  ['catalog.ad-approved.v1', AdApprovedV1, approved, 3],
  ['catalog.ad-refused.v1', AdRefusedV1, refused, 3],
  ['catalog.ad-rejected.v1', AdRejectedV1, rejected, 3],
] as const)('writes %s as its golden file has it, and the contract reads it', (name, schema, event, version) => {
  const [outgoing] = publishAd(logged(version, event));
  const message = messageOf('catalog.events', outgoing!);
  expect(message).toEqual(golden(name));
  expect(schema.parse(golden(name))).toEqual(message);
});

test('publishes nothing that only the buyer and admins need', () => {
  const quiet: AdEvent[] = [
    { type: 'AdSubmitted', data: { submission: 1, content } },
    { type: 'AdExtended', data: { until: '2026-12-28T12:00:00.000Z', impressions: 7 } },
    { type: 'AdEnded', data: { reason: 'time-over', impressions: 7 } },
  ];
  expect(quiet.flatMap((event) => publishAd(logged(5, event)))).toEqual([]);
});
