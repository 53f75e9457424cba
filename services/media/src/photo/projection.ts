import type { Projection } from '@beltway/event-store';
import { fieldsOf } from '@beltway/kit/columns';
import { deleteUnnamed, pictureDeletions } from '../files/kept-files.ts';
import { photos } from './columns.ts';
import type { PhotoEvent } from './events.ts';

const UPLOADED = photos.insert(fieldsOf(photos.columns));
const STATUS = photos.update('photoId', ['status']);
const SETTLED = photos.update('photoId', ['openReports']);
const REPORTED = photos.update('photoId', [], ['openReports']);
const UNNAMED = deleteUnnamed(pictureDeletions, 'select picture from photos where photo_id = $1');
/** What people wrote of it goes with it; that it was there, and whose it was, stays in the log. Done again it changes nothing. */
const REMOVED = ['photos', 'photo_texts', 'photo_likes', 'photo_like_counts', 'photo_reports'].map(
  (name) => `delete from ${name} where photo_id = $1`,
);

/** Photos as they are now. A photo has few events: a statement or two for each. */
export const projectPhotos: Projection<PhotoEvent> = (sql, group) => {
  for (const { type, data, occurredAt } of group) {
    const { photoId } = data;
    switch (type) {
      case 'PhotoUploaded': {
        const { uploaderId: userId, eventId, picture, width, height } = data;
        const row = { photoId, eventId, userId, picture, width, height, uploadedAt: occurredAt };
        sql.query(UPLOADED.text, UPLOADED.values({ ...row, status: 'pending', openReports: 0 }));
        break;
      }
      case 'PhotoVerified':
        sql.query(STATUS.text, STATUS.values({ photoId, status: 'verified' }));
        break;
      case 'PhotoRejected':
        sql.query(STATUS.text, STATUS.values({ photoId, status: 'rejected' }));
        sql.query(SETTLED.text, SETTLED.values({ photoId, openReports: 0 }));
        break;
      case 'PhotoReported':
        sql.query(REPORTED.text, REPORTED.values({ photoId, openReports: 1 }));
        break;
      case 'PhotoKept':
        sql.query(SETTLED.text, SETTLED.values({ photoId, openReports: 0 }));
        break;
      case 'PhotoRemoved':
        for (const text of [UNNAMED, ...REMOVED]) sql.query(text, [photoId]);
        break;
    }
  }
};

export const photoTables = ['photos'];
