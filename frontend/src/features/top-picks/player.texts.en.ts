import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  notDeleted: 'Not deleted',
  linkCopied: 'Link Copied',
  linkCopiedWhy: 'Video link copied to clipboard!',
  notCopied: 'Couldn’t copy',
  notCopiedWhy: 'Your browser blocked copying. Copy the link from the address bar.',
  cannotPlay: 'Your browser can’t play this video. <link>Download it</link>',
  byline: ' · {number} {count, plural, one {view} other {views}} · {age}',
  deleteWhy: 'The video, its likes and views are deleted permanently.',
  deleteVideo: 'Delete video',
  keepIt: 'Keep it',
  share: 'Share',
  delete: 'Delete',
  report: 'Report',
  reportThis: 'Report this video',
  readers: 'Our team will review it.',
  reported: 'Video reported',
  reportedWhy: 'Thank you. We’ll review it.',
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  rights: 'Someone else’s video or music',
  privacy: 'Shows me or someone else without permission',
  other: 'Something else',
} as const;
export const texts = catalog(english, { es: () => import('./player.texts.es.ts') });
