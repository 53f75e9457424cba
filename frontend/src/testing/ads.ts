import type { ReviewedAd } from '@beltway/contracts/catalog/served-ads';
import type { ServedAd } from '@beltway/contracts/catalog/shown-ads';

export const AD_ID = '0d9b6d0e-8f57-4d0c-9d4e-5f7a3c2b1a00';

export const adContent = {
  imageUrl: `/media/images/${'0a'.repeat(32)}-0c2d48-large.webp`,
  linkUrl: 'https://www.wharf.test/go-go',
  title: 'Go-Go at the Wharf',
  alt: 'A pier at night',
};

export const servedAd = (more: Partial<ServedAd> = {}): ServedAd => ({
  id: AD_ID,
  title: adContent.title,
  alt: adContent.alt,
  imageUrl: adContent.imageUrl,
  site: 'wharf.test',
  ...more,
});

/** A bought ad without content. */
export const boughtAd = (more: Partial<ReviewedAd> = {}): ReviewedAd => ({
  id: AD_ID,
  packageId: 'banner-7d',
  slot: 'banner',
  days: 7,
  maxImpressions: 5_000,
  guaranteedImpressions: null,
  state: 'bought',
  submission: 0,
  sent: null,
  isWaiting: false,
  shown: null,
  shownSubmission: null,
  rejection: null,
  impressions: 0,
  clicks: 0,
  boughtAt: '2030-07-01T12:00:00.000Z',
  submittedAt: null,
  startsAt: null,
  endsAt: null,
  isExtended: false,
  endedAt: null,
  endReason: null,
  businessName: 'The Wharf',
  eventTitle: 'Go-Go Night',
  ...more,
});

export const waitingAd = (more: Partial<ReviewedAd> = {}): ReviewedAd =>
  boughtAd({
    ...{ state: 'waiting', submission: 1, sent: adContent, isWaiting: true },
    submittedAt: '2030-07-01T13:00:00.000Z',
    ...more,
  });

export const runningAd = (more: Partial<ReviewedAd> = {}): ReviewedAd =>
  waitingAd({
    ...{ state: 'running', isWaiting: false, shown: adContent, shownSubmission: 1 },
    ...{ startsAt: '2030-07-02T12:00:00.000Z', endsAt: '2030-07-09T12:00:00.000Z' },
    ...more,
  });
