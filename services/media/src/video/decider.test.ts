import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { MAX_REPORTS, video } from './decider.ts';
import type { UploadedVideo, VideoEvent } from './events.ts';

const given = scenarios(video);
const clip: UploadedVideo = {
  ...{ videoId: 5, uploaderId: 7, category: 'venue', file: 'aa.mp4', thumbnail: 'bb-ccddee', promotionId: null },
};
const uploaded: VideoEvent = { type: 'VideoUploaded', data: clip };
const about = (type: 'VideoApproved' | 'VideoRejected' | 'VideoFeatured' | 'VideoUnfeatured' | 'VideoKept') =>
  ({ type, data: { videoId: 5 } }) as VideoEvent;
const removed: VideoEvent = { type: 'VideoRemoved', data: { videoId: 5, by: 'uploader' } };
const reported = (reporterId: number): VideoEvent => ({
  type: 'VideoReported',
  data: { videoId: 5, reporterId, reason: 'rights' },
});
const report = (reporterId: number) => ({ type: 'ReportVideo', reporterId, reason: 'rights' }) as const;

test('a video is uploaded once, and is approved until an admin rejects it', () => {
  given()
    .when({ type: 'UploadVideo', ...clip })
    .yields(uploaded);
  given(uploaded)
    .when({ type: 'UploadVideo', ...clip })
    .rejects('video-exists');
  given(uploaded).when({ type: 'ApproveVideo' }).yields();
  given(uploaded).when({ type: 'RejectVideo' }).yields(about('VideoRejected'));
  given(uploaded, about('VideoRejected')).when({ type: 'RejectVideo' }).yields();
  given(uploaded, about('VideoRejected')).when({ type: 'ApproveVideo' }).yields(about('VideoApproved'));
});

test('only what everybody sees is featured, and a rejection ends it', () => {
  given(uploaded).when({ type: 'FeatureVideo' }).yields(about('VideoFeatured'));
  given(uploaded, about('VideoFeatured')).when({ type: 'FeatureVideo' }).yields();
  given(uploaded, about('VideoFeatured')).when({ type: 'UnfeatureVideo' }).yields(about('VideoUnfeatured'));
  given(uploaded).when({ type: 'UnfeatureVideo' }).yields();
  given(uploaded, about('VideoFeatured'), about('VideoUnfeatured'))
    .when({ type: 'FeatureVideo' })
    .yields(about('VideoFeatured'));
  const rejected = [uploaded, about('VideoFeatured'), about('VideoRejected')];
  given(...rejected)
    .when({ type: 'FeatureVideo' })
    .rejects('video-rejected');
  given(...rejected, about('VideoApproved'))
    .when({ type: 'FeatureVideo' })
    .yields(about('VideoFeatured'));
});

test('only what everybody sees can be reported, by others, once by each, and so often at most', () => {
  given(uploaded).when(report(8)).yields(reported(8));
  given(uploaded, reported(8)).when(report(8)).yields();
  given(uploaded, reported(8), about('VideoKept')).when(report(8)).yields();
  given(uploaded).when(report(7)).rejects('own-video');
  given(uploaded, about('VideoRejected')).when(report(8)).rejects('video-removed');
  const many = Array.from({ length: MAX_REPORTS }, (_, at) => reported(1_000 + at));
  given(uploaded, ...many)
    .when(report(8))
    .yields();
});

test('reports are settled by keeping or rejecting the video', () => {
  given(uploaded, reported(8)).when({ type: 'KeepVideo' }).yields(about('VideoKept'));
  given(uploaded).when({ type: 'KeepVideo' }).yields();
  given(uploaded, reported(8), about('VideoKept')).when({ type: 'KeepVideo' }).yields();
  given(uploaded, reported(8), about('VideoRejected')).when({ type: 'KeepVideo' }).yields();
});

test('what is removed stays so, and removing it again changes nothing', () => {
  given(uploaded).when({ type: 'RemoveVideo', by: 'uploader' }).yields(removed);
  given(uploaded, removed).when({ type: 'RemoveVideo', by: 'admin' }).yields();
  given().when({ type: 'RemoveVideo', by: 'admin' }).rejects('video-removed');
  for (const type of ['ApproveVideo', 'RejectVideo', 'FeatureVideo', 'UnfeatureVideo', 'KeepVideo'] as const)
    given(uploaded, removed).when({ type }).rejects('video-removed');
  given(uploaded, removed).when(report(8)).rejects('video-removed');
});
