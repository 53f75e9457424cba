import { expect, test } from 'vitest';
import { PhotoHiddenV1, PhotoVerifiedV1 } from '@beltway/contracts/media/gallery';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import type { PhotoEvent } from './events.ts';
import { publishPhoto } from './publish.ts';

const correlationId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const logged = (event: PhotoEvent, version: number): Logged => ({
  ...event,
  ...{ stream: 'photo-5', id: '5', version, userId: 7, correlationId, causationId: correlationId },
  occurredAt: new Date('2026-03-07T20:00:00.000Z'),
});
const facts = { photoId: 5, eventId: 42, uploaderId: 7 };

test('that a photo is shown, and is not any more, is told as the golden files say, and nothing else of it', () => {
  const happened: PhotoEvent[] = [
    { type: 'PhotoUploaded', data: { ...facts, picture: 'p-aabbcc', width: 30, height: 20 } },
    { type: 'PhotoVerified', data: { ...facts, how: 'ticket' } },
    { type: 'PhotoReported', data: { photoId: 5, reporterId: 8, reason: 'abuse' } },
    { type: 'PhotoKept', data: { photoId: 5 } },
    { type: 'PhotoRejected', data: { photoId: 5 } },
    { type: 'PhotoRemoved', data: { photoId: 5, by: 'admin' } },
  ];
  const messages = happened
    .map((event, at) => logged(event, at + 1))
    .flatMap(publishPhoto)
    .map((one) => messageOf('media.events', one));
  const [verified, hidden, removed] = messages;
  expect([verified, hidden]).toEqual([golden('media.photo-verified.v1'), golden('media.photo-hidden.v1')]);
  expect(messages).toHaveLength(3);
  for (const message of [hidden, removed]) expect(PhotoHiddenV1.parse(message)).toEqual(message);
  expect(PhotoVerifiedV1.parse(verified)).toEqual(verified);
});
