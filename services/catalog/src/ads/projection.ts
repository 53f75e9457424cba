import type { AdContent } from '@beltway/contracts/catalog/served-ads';
import type { Projection, Recorded } from '@beltway/event-store';
import { ads } from '../generated/tables.ts';
import type { AdEvent } from './events.ts';

const BOUGHT = ads.insert([
  ...(['adId', 'paymentId', 'packageId', 'slot', 'days', 'maxImpressions', 'guaranteedImpressions'] as const),
  ...(['businessName', 'eventTitle', 'keyHash', 'submission', 'isWaiting', 'boughtAt', 'isExtended'] as const),
]);
const SENT = ['sentImageUrl', 'sentLinkUrl', 'sentTitle', 'sentAlt'] as const;
const SHOWN = ['shownSubmission', 'shownImageUrl', 'shownLinkUrl', 'shownTitle', 'shownAlt'] as const;

const SUBMITTED = ads.update('adId', ['submission', 'submittedAt', 'isWaiting', 'rejection', ...SENT]);
const APPROVED = ads.update('adId', ['isWaiting', 'rejection', 'startsAt', 'endsAt', ...SHOWN]);
const NOT_WAITING = ads.update('adId', ['isWaiting', 'rejection']);
const NOT_SHOWN = ads.update('adId', ['rejection', ...SHOWN]);
const EXTENDED = ads.update('adId', ['endsAt', 'isExtended']);
const REFUSED = ads.update('adId', ['endedAt', 'endReason', 'isWaiting', 'rejection']);
const ENDED = ads.update('adId', ['endedAt', 'endReason', 'isWaiting']);

const sent = ({ imageUrl, linkUrl, title, alt }: AdContent) => ({
  sentImageUrl: imageUrl,
  sentLinkUrl: linkUrl,
  sentTitle: title,
  sentAlt: alt,
});
const shown = ({ imageUrl, linkUrl, title, alt }: AdContent) => ({
  shownImageUrl: imageUrl,
  shownLinkUrl: linkUrl,
  shownTitle: title,
  shownAlt: alt,
});

/** Writes the rows for serving ads, for reviews and for buyers. Counts are in another table: `ad_counts`. */
export const projectAds: Projection<AdEvent> = (sql, group) => {
  for (const event of group) write(event);

  function write({ id: adId, occurredAt, ...event }: Recorded<AdEvent>): void {
    switch (event.type) {
      case 'AdBought': {
        const none = { submission: 0, isWaiting: false, isExtended: false };
        return sql.query(BOUGHT.text, BOUGHT.values({ ...event.data, ...none, adId, boughtAt: occurredAt }));
      }
      case 'AdSubmitted': {
        const { submission, content } = event.data;
        const row = { adId, submission, submittedAt: occurredAt, isWaiting: true, ...sent(content) };
        return sql.query(SUBMITTED.text, SUBMITTED.values(row));
      }
      case 'AdApproved': {
        const { submission, content, startsAt, until } = event.data;
        const row = { adId, isWaiting: false, startsAt, endsAt: until, shownSubmission: submission, ...shown(content) };
        return sql.query(APPROVED.text, APPROVED.values(row));
      }
      case 'AdRejected': {
        const { reason: rejection, wasShown } = event.data;
        return wasShown
          ? sql.query(NOT_SHOWN.text, NOT_SHOWN.values({ adId, rejection }))
          : sql.query(NOT_WAITING.text, NOT_WAITING.values({ adId, rejection, isWaiting: false }));
      }
      case 'AdRefused': {
        const row = { adId, endedAt: occurredAt, endReason: 'refused', isWaiting: false, rejection: event.data.reason };
        return sql.query(REFUSED.text, REFUSED.values(row));
      }
      case 'AdExtended':
        return sql.query(EXTENDED.text, EXTENDED.values({ adId, endsAt: event.data.until, isExtended: true }));
      case 'AdEnded':
        return sql.query(
          ENDED.text,
          ENDED.values({ adId, endedAt: occurredAt, endReason: event.data.reason, isWaiting: false }),
        );
    }
  }
};
