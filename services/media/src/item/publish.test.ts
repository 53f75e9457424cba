import { expect, test } from 'vitest';
import { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import type { ItemEvent } from './events.ts';
import { publishItem } from './publish.ts';

const correlationId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const logged =
  (kind: 'photo' | 'video') =>
  (event: ItemEvent, index: number): Logged => ({
    ...event,
    stream: `${kind}-5`,
    id: '5',
    version: index + 1,
    userId: 7,
    correlationId,
    causationId: correlationId,
    occurredAt: new Date('2026-03-07T20:00:00.000Z'),
  });
const happened: ItemEvent[] = [
  { type: 'ItemUploaded', data: { eventId: 42, uploaderId: 7, picture: 'p-aabbcc', width: 30, height: 20 } },
  { type: 'ItemShown', data: { eventId: 42, uploaderId: 7, how: 'ticket' } },
  { type: 'ItemFeatured', data: {} },
  { type: 'ItemUnfeatured', data: {} },
  { type: 'ItemRejected', data: {} },
  { type: 'ItemRemoved', data: { by: 'admin' } },
];

test('only showing and hiding a photo is published, as in the golden files', () => {
  const messages = happened
    .map(logged('photo'))
    .flatMap(publishItem)
    .map((one) => messageOf('media.events', one));
  const [verified, hidden, removed] = messages;
  expect([verified, hidden]).toEqual([golden('media.photo-verified.v1'), golden('media.photo-hidden.v1')]);
  expect(messages).toHaveLength(3);
  for (const message of [hidden, removed]) expect(PhotoHiddenV1.parse(message)).toEqual(message);
  expect(PhotoVerifiedV1.parse(verified)).toEqual(verified);
});

test('nothing about videos is published', () => {
  expect(happened.map(logged('video')).flatMap(publishItem)).toEqual([]);
});
