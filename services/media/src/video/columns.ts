import { table } from '@beltway/kit/columns';

export const videos = table('videos', {
  videoId: 'int4',
  userId: 'int4',
  category: 'text',
  file: 'text',
  thumbnail: 'text',
  promotionId: 'uuid?',
  isApproved: 'bool',
  isFeatured: 'bool',
  openReports: 'int4',
  uploadedAt: 'timestamptz',
});
