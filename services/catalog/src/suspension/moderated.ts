import type { Pool } from 'pg';
import { excerptOf } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/kit/rejected';
import { notFound } from '@beltway/kit/problems';
import type { ModeratedKind } from '@beltway/kit/service/moderated';
import { adById, countedAds, isShown } from '../ads/queries.ts';
import type { Ads } from '../ads/stream.ts';
import { listingById } from '../event/queries.ts';
import type { Listings } from '../event/stream.ts';

interface ModeratedDeps {
  pool: Pool;
  listings: Listings;
  ads: Ads;
  clock: () => Date;
}

/** The reason that is mailed to the buyer of a hidden ad. The buyer may submit other content. */
const HIDDEN = 'It was reported, and an admin took it off the pages.';

/** How events and ads are reported, and the effect of admins' decisions about them. */
export const moderatedKinds = ({ pool, listings, ads, clock }: ModeratedDeps): ModeratedKind[] => [
  {
    kind: 'event',
    async load(id, reporterId) {
      const event = await listingById(pool, Number(id));
      if (!event || event.status === 'suspended') throw notFound('event');
      if (event.organizerId === reporterId) throw new Rejected('own-content');
      const excerpt = excerptOf(`${event.title}\n${event.description}`);
      return { authorId: event.organizerId, excerpt, path: `/event/${id}`, version: event.version };
    },
    async apply({ id, action, decision, adminId, correlationId }) {
      if (action !== 'hide' && action !== 'restore') return;
      await listings.handle(
        Number(id),
        { type: action === 'hide' ? 'SuspendEvent' : 'ResumeEvent', cause: 'reported' },
        { commandId: `moderate event ${id} ${decision}`, userId: adminId, correlationId },
      );
    },
  },
  {
    kind: 'ad',
    async load(id) {
      const ad = await countedAds(pool).where('a.adId', '=', id).where(isShown(clock())).executeTakeFirst();
      if (!ad) throw notFound('ad');
      const excerpt = excerptOf(`${ad.shownTitle}\n${ad.shownLinkUrl}`);
      // The buyer of an ad has no account.
      return { authorId: null, excerpt, path: '/', version: ad.shownSubmission! };
    },
    async apply({ id, action, decision, adminId, correlationId }) {
      const submission = action === 'hide' ? (await adById(pool, id))?.shownSubmission : null;
      if (submission === null || submission === undefined) return;
      await ads.handle(
        id,
        { type: 'RejectAd', submission, reason: HIDDEN },
        { commandId: `moderate ad ${id} ${decision}`, userId: adminId, correlationId },
      );
    },
  },
];
