import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { MAX_REPORTS, photo } from './decider.ts';
import type { PhotoEvent, UploadedPhoto, VerifiedBy } from './events.ts';

const given = scenarios(photo);
const ann: UploadedPhoto = { photoId: 5, eventId: 42, uploaderId: 7, picture: 'p-aabbcc', width: 30, height: 20 };
const uploaded: PhotoEvent = { type: 'PhotoUploaded', data: ann };
const verified = (how: VerifiedBy): PhotoEvent => ({
  type: 'PhotoVerified',
  data: { photoId: 5, eventId: 42, uploaderId: 7, how },
});
const rejected: PhotoEvent = { type: 'PhotoRejected', data: { photoId: 5 } };
const removed: PhotoEvent = { type: 'PhotoRemoved', data: { photoId: 5, by: 'uploader' } };
const kept: PhotoEvent = { type: 'PhotoKept', data: { photoId: 5 } };
const reported = (reporterId: number): PhotoEvent => ({
  type: 'PhotoReported',
  data: { photoId: 5, reporterId, reason: 'abuse' },
});
const report = (reporterId: number) => ({ type: 'ReportPhoto', reporterId, reason: 'abuse' }) as const;

test('a photo waits for a look, unless its uploader was there or is a verified business', () => {
  given()
    .when({ type: 'UploadPhoto', ...ann, verifiedBy: null })
    .yields(uploaded);
  given()
    .when({ type: 'UploadPhoto', ...ann, verifiedBy: 'ticket' })
    .yields(uploaded, verified('ticket'));
  given(uploaded)
    .when({ type: 'UploadPhoto', ...ann, verifiedBy: 'ticket' })
    .rejects('photo-exists');
});

test('an admin verifies and rejects, and may think better of it', () => {
  given(uploaded).when({ type: 'VerifyPhoto' }).yields(verified('admin'));
  given(uploaded).when({ type: 'RejectPhoto' }).yields(rejected);
  given(uploaded, rejected).when({ type: 'VerifyPhoto' }).yields(verified('admin'));
  given(uploaded, verified('ticket')).when({ type: 'RejectPhoto' }).yields(rejected);
  given(uploaded, verified('ticket')).when({ type: 'VerifyPhoto' }).yields();
  given(uploaded, rejected).when({ type: 'RejectPhoto' }).yields();
});

test('only what everybody sees can be reported, by others, once by each', () => {
  const shown = [uploaded, verified('ticket')];
  given(...shown)
    .when(report(8))
    .yields(reported(8));
  given(...shown, reported(8))
    .when(report(8))
    .yields();
  given(...shown, reported(8), kept)
    .when(report(8))
    .yields();
  given(...shown)
    .when(report(7))
    .rejects('own-photo');
  given(uploaded).when(report(8)).rejects('photo-removed');
  given(uploaded, rejected).when(report(8)).rejects('photo-removed');
});

test('reports are settled by keeping or rejecting the photo, and bounded', () => {
  const shown = [uploaded, verified('ticket')];
  given(...shown, reported(8))
    .when({ type: 'KeepPhoto' })
    .yields(kept);
  for (const log of [[], [reported(8), kept]])
    given(...shown, ...log)
      .when({ type: 'KeepPhoto' })
      .yields();
  given(...shown, reported(8), rejected, verified('admin'))
    .when({ type: 'KeepPhoto' })
    .yields();
  const many = Array.from({ length: MAX_REPORTS }, (_, at) => reported(100 + at));
  given(...shown, ...many)
    .when(report(8))
    .yields();
});

test('what was removed comes back by nothing, and is removed once', () => {
  given(uploaded).when({ type: 'RemovePhoto', by: 'uploader' }).yields(removed);
  for (const type of ['VerifyPhoto', 'RejectPhoto', 'KeepPhoto'] as const)
    given(uploaded, removed).when({ type }).rejects('photo-removed');
  given(uploaded, removed).when(report(8)).rejects('photo-removed');
  given(uploaded, removed).when({ type: 'RemovePhoto', by: 'erasure' }).yields();
  given(uploaded, removed)
    .when({ type: 'UploadPhoto', ...ann, verifiedBy: null })
    .rejects('photo-exists');
  for (const type of ['VerifyPhoto', 'RejectPhoto', 'KeepPhoto'] as const)
    given().when({ type }).rejects('photo-removed');
  expect(photo.evolve(photo.initial(), uploaded)).toMatchObject({ uploaderId: 7, status: 'pending' });
});
