import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { itemDecider } from './decider.ts';
import type { ItemEvent, UploadedPhoto, UploadedVideo, VerifiedBy } from './events.ts';
import { ITEMS } from './kinds.ts';

const photo: UploadedPhoto = { eventId: 42, uploaderId: 7, picture: 'p-aabbcc', width: 30, height: 20 };
const video: UploadedVideo = {
  uploaderId: 7,
  category: 'venue',
  file: 'aa.mp4',
  picture: 'bb-ccddee',
  promotionId: null,
};
const shown = (how: VerifiedBy, eventId: number | null): ItemEvent => ({
  type: 'ItemShown',
  data: { eventId, uploaderId: 7, how },
});
const [rejected, featured, unfeatured] = (['ItemRejected', 'ItemFeatured', 'ItemUnfeatured'] as const).map(
  (type): ItemEvent => ({ type, data: {} }),
) as [ItemEvent, ItemEvent, ItemEvent];
const removed: ItemEvent = { type: 'ItemRemoved', data: { by: 'uploader' } };

test('a photo waits for a check, unless its uploader attended or is a verified business', () => {
  const given = scenarios(itemDecider('photo', ITEMS.photo));
  const uploaded: ItemEvent = { type: 'ItemUploaded', data: photo };
  given().when({ type: 'UploadItem', item: photo, verifiedBy: null }).yields(uploaded);
  given().when({ type: 'UploadItem', item: photo, verifiedBy: 'ticket' }).yields(uploaded, shown('ticket', 42));
  given(uploaded).when({ type: 'ShowItem' }).yields(shown('admin', 42));
  const decider = itemDecider('photo', ITEMS.photo);
  expect(decider.evolve(decider.initial(), uploaded)).toMatchObject({ uploaderId: 7, status: 'pending' });
});

test('a video is shown immediately after its upload', () => {
  const given = scenarios(itemDecider('video', ITEMS.video));
  const uploaded: ItemEvent = { type: 'ItemUploaded', data: video };
  given().when({ type: 'UploadItem', item: video, verifiedBy: null }).yields(uploaded);
  given(uploaded).when({ type: 'ShowItem' }).yields();
});

test('only shown items can be featured, and a rejected item is no longer featured', () => {
  const given = scenarios(itemDecider('video', ITEMS.video));
  const uploaded: ItemEvent = { type: 'ItemUploaded', data: video };
  given(uploaded).when({ type: 'FeatureItem' }).yields(featured);
  given(uploaded, featured).when({ type: 'FeatureItem' }).yields();
  given(uploaded, featured).when({ type: 'UnfeatureItem' }).yields(unfeatured);
  given(uploaded).when({ type: 'UnfeatureItem' }).yields();
  given(uploaded, featured, unfeatured).when({ type: 'FeatureItem' }).yields(featured);
  given(uploaded, featured, rejected).when({ type: 'FeatureItem' }).rejects('video-rejected');
  given(uploaded, featured, rejected, shown('admin', null)).when({ type: 'FeatureItem' }).yields(featured);
});

test.each([
  ['photo', photo, [shown('ticket', 42)], shown('admin', 42)],
  ['video', video, [], shown('admin', null)],
] as const)('an admin rejects a %s, shows it again, and removes it for good', (kind, item, isShown, again) => {
  const given = scenarios(itemDecider(kind, ITEMS[kind]));
  const uploaded: ItemEvent = { type: 'ItemUploaded', data: item };
  const visible = [uploaded, ...isShown];
  given(...visible)
    .when({ type: 'UploadItem', item, verifiedBy: null })
    .rejects(`${kind}-exists`);
  given(uploaded).when({ type: 'RejectItem' }).yields(rejected);
  given(...visible)
    .when({ type: 'RejectItem' })
    .yields(rejected);
  given(...visible)
    .when({ type: 'ShowItem' })
    .yields();
  given(uploaded, rejected).when({ type: 'RejectItem' }).yields();
  given(uploaded, rejected).when({ type: 'ShowItem' }).yields(again);

  given(uploaded).when({ type: 'RemoveItem', by: 'uploader' }).yields(removed);
  given(uploaded, removed).when({ type: 'RemoveItem', by: 'erasure' }).yields();
  given(uploaded, removed).when({ type: 'UploadItem', item, verifiedBy: null }).rejects(`${kind}-exists`);
  given().when({ type: 'RemoveItem', by: 'admin' }).rejects(`${kind}-removed`);
  for (const type of ['ShowItem', 'RejectItem', 'FeatureItem', 'UnfeatureItem'] as const) {
    given(uploaded, removed).when({ type }).rejects(`${kind}-removed`);
    given().when({ type }).rejects(`${kind}-removed`);
  }
});
