import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  deleted: 'Video deleted',
  notDeleted: 'Not deleted',
  linkCopied: 'Link Copied',
  linkCopiedWhy: 'Video link copied to clipboard!',
  notCopied: 'Not copied',
  notCopiedWhy: 'Your browser does not let us. The address bar has the link.',
  cannotPlay: 'Your browser cannot play this video. <link>Download it</link>',
  byline: ' · {number} {count, plural, one {view} other {views}} · {age}',
  deleteWhy: 'It leaves Top Picks with its likes and views, and does not come back.',
  deleteVideo: 'Delete video',
  keepIt: 'Keep it',
  share: 'Share',
  delete: 'Delete',
  report: 'Report',
  reportThis: 'Report this video',
  readers: 'The people of Beltway look at it.',
  reported: 'Video reported',
  reportedWhy: 'Thank you. We look at it.',
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  rights: 'Somebody else’s video or music',
  privacy: 'Shows me or somebody who does not want it',
  other: 'Something else',
} as const;
export const texts = catalog(english, { es: () => import('./player.texts.es.ts') });
