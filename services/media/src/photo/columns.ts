import { table } from '@beltway/kit/columns';

export const photos = table('photos', {
  photoId: 'int4',
  eventId: 'int4',
  userId: 'int4',
  picture: 'text',
  width: 'int4',
  height: 'int4',
  status: 'text',
  openReports: 'int4',
  uploadedAt: 'timestamptz',
});
