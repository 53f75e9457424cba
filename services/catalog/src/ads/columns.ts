import { table, type RowOf } from '@beltway/kit/columns';

/** Ads as the log tells of them. What its buyer sent last is `sent…`, what is on the pages `shown…`. */
export const ads = table('ads', {
  adId: 'uuid',
  paymentId: 'text',
  packageId: 'text',
  slot: 'text',
  days: 'int4',
  maxImpressions: 'int4?',
  guaranteedImpressions: 'int4?',
  businessName: 'text',
  eventTitle: 'text',
  keyHash: 'text',
  submission: 'int4',
  submittedAt: 'timestamptz?',
  sentImageUrl: 'text?',
  sentLinkUrl: 'text?',
  sentTitle: 'text?',
  sentAlt: 'text?',
  isWaiting: 'bool',
  rejection: 'text?',
  shownSubmission: 'int4?',
  shownImageUrl: 'text?',
  shownLinkUrl: 'text?',
  shownTitle: 'text?',
  shownAlt: 'text?',
  boughtAt: 'timestamptz',
  startsAt: 'timestamptz?',
  endsAt: 'timestamptz?',
  isExtended: 'bool',
  endedAt: 'timestamptz?',
  endReason: 'text?',
});

/** An ad with what was counted of it. */
export type AdRow = RowOf<typeof ads> & { impressions: number; clicks: number };
