import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  signInFirst: 'Authentication Required',
  signInFirstWhy: 'Please log in to upload videos.',
  topPicks: 'Top Picks',
  all: 'All',
  categoryOfVideos: 'Category of videos',
  videosWhat: 'videos',
  videos: 'Videos',
  noVideos: 'No videos yet',
  noneAtAll: 'Videos people upload appear here.',
  noneOfCategory: 'No videos in this category.',
  signIn: 'Sign in',
  uploadVideo: 'Upload video',
  play: 'Play {title}',
  views: '{number} {count, plural, one {view} other {views}} · {age}',
  like: 'Like {title}, ',
  likes: '{count, plural, one { like} other { likes}}',
  notSaved: 'Not saved',
  promoted: 'Promoted',
  featured: 'Featured',
  notShown: 'Not shown',
  event: 'Event',
  venue: 'Venue',
  highlight: 'Highlight',
  announcement: 'Announcement',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
