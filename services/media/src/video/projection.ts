import type { Projection } from '@beltway/event-store';
import { fieldsOf } from '@beltway/kit/columns';
import { deleteUnnamed, pictureDeletions, videoDeletions } from '../files/kept-files.ts';
import { videos } from './columns.ts';
import type { VideoEvent } from './events.ts';

const UPLOADED = videos.insert(fieldsOf(videos.columns));
const APPROVED = videos.update('videoId', ['isApproved']);
const FEATURED = videos.update('videoId', ['isFeatured']);
const REJECTED = videos.update('videoId', ['isApproved', 'isFeatured', 'openReports']);
const SETTLED = videos.update('videoId', ['openReports']);
const REPORTED = videos.update('videoId', [], ['openReports']);
const UNNAMED = [
  deleteUnnamed(pictureDeletions, 'select thumbnail from videos where video_id = $1'),
  deleteUnnamed(videoDeletions, 'select file from videos where video_id = $1'),
];
/** What people wrote of it goes with it, and the right to a clip is free again. Done again it changes nothing. */
const REMOVED = [
  ...['videos', 'video_texts', 'video_likes', 'video_like_counts', 'video_reports'],
  ...['video_view_counts', 'video_visitors', 'clip_uses'],
].map((name) => `delete from ${name} where video_id = $1`);

/** Videos as they are now. A video has few events: a statement or two for each. */
export const projectVideos: Projection<VideoEvent> = (sql, group) => {
  for (const { type, data, occurredAt } of group) {
    const { videoId } = data;
    switch (type) {
      case 'VideoUploaded': {
        const { uploaderId: userId, category, file, thumbnail, promotionId } = data;
        const row = { videoId, userId, category, file, thumbnail, promotionId, uploadedAt: occurredAt };
        sql.query(UPLOADED.text, UPLOADED.values({ ...row, isApproved: true, isFeatured: false, openReports: 0 }));
        break;
      }
      case 'VideoApproved':
        sql.query(APPROVED.text, APPROVED.values({ videoId, isApproved: true }));
        break;
      case 'VideoRejected':
        sql.query(REJECTED.text, REJECTED.values({ videoId, isApproved: false, isFeatured: false, openReports: 0 }));
        break;
      case 'VideoFeatured':
      case 'VideoUnfeatured':
        sql.query(FEATURED.text, FEATURED.values({ videoId, isFeatured: type === 'VideoFeatured' }));
        break;
      case 'VideoReported':
        sql.query(REPORTED.text, REPORTED.values({ videoId, openReports: 1 }));
        break;
      case 'VideoKept':
        sql.query(SETTLED.text, SETTLED.values({ videoId, openReports: 0 }));
        break;
      case 'VideoRemoved':
        for (const text of [...UNNAMED, ...REMOVED]) sql.query(text, [videoId]);
        break;
    }
  }
};

export const videoTables = ['videos'];
