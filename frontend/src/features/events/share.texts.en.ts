import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  onFacebook: 'Share on Facebook',
  onTwitter: 'Share on Twitter',
  forInstagram: 'Copy for Instagram',
  onWhatsApp: 'Share on WhatsApp',
  copyLink: 'Copy Link',
  isLive: 'Your event is live. Now tell people.',
  isLiveWhy: 'Your first guests will come from people you share it with.',
  close: 'Close',
  sharedOn: 'Shared on {network}',
  sharedWell: 'Event shared successfully!',
  linkCopied: 'Link Copied',
  linkCopiedWhy: 'Event link copied to clipboard!',
  forInstagramWhy: 'Share this link in your Instagram story or bio!',
  notCopied: 'Couldn’t copy',
  copyByHand: 'Copy it yourself: {url}',
  titleAt: '{title} at {place}',
  feedPaste: 'Paste this link into your calendar app.',
  upToDate: 'These events, always up to date',
  calendarApp: 'Calendar app',
  googleCalendar: 'Google Calendar',
  copyCalendar: 'Copy calendar link',
  rss: 'RSS feed',
} as const;
export const texts = catalog(english, { es: () => import('./share.texts.es.ts') });
