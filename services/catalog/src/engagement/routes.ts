import { Router, type Request, type Response } from 'express';
import { EngagementQuery, InterestBody, SavedQuery, type EventCounts } from '@beltway/contracts/identity/engagement';
import type { ViewAnalytics } from '@beltway/contracts/payments/platform';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { senderOf } from '@beltway/kit/rate-limit';
import { keyedText, type Secrets } from '@beltway/kit/secrets';
import type { Pool } from 'pg';
import { eventIdOf } from '../event/requests.ts';
import { viewsOfSales } from './counts.ts';
import { openReactions, type ReactionKind, type ReactionRequest } from './reactions.ts';
import { engagementOf, savedEvents } from './saved.ts';
import type { Views } from './views.ts';
import { isFromOurPage, visitorOf } from '@beltway/kit/visitors';

export interface EngagementDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn' | 'optional' | 'role'>;
  views: Pick<Views, 'note'>;
  clock: () => Date;
  /** Derives the key that distinguishes the visitors who share an event. */
  secret: Secrets;
}

type OfEvent = Request<{ id: string }>;

/** Marks the caller's own data, which no shared cache may store. */
const personal = (res: Response) => res.set('Cache-Control', 'private, no-store');

/** Likes, bookmarks, interests, shares and views (services/catalog/PRODUCT.md#likes-bookmarks-and-counts). */
export function engagementRoutes({ pool, auth, views, clock, secret }: EngagementDeps): Router {
  const router = Router();
  const reactions = openReactions({ pool, clock });

  async function apply(res: Response, request: ReactionRequest): Promise<void> {
    const counts: EventCounts = await reactions.apply(request);
    personal(res).json(counts);
  }
  const reactionOf = (req: OfEvent, kind: ReactionKind) =>
    ({ eventId: eventIdOf(req), kind, userId: callerOf(req).id }) as const;

  router.put('/api/events/:id/like', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'like'), value: '' }),
  );
  router.delete('/api/events/:id/like', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'like'), value: null }),
  );
  router.put('/api/events/:id/bookmark', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'bookmark'), value: '' }),
  );
  router.delete('/api/events/:id/bookmark', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'bookmark'), value: null }),
  );
  router.put('/api/events/:id/interest', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'interest'), value: InterestBody.parse(req.body).interest }),
  );
  router.delete('/api/events/:id/interest', auth.signedIn, (req: OfEvent, res) =>
    apply(res, { ...reactionOf(req, 'interest'), value: null }),
  );

  /** The number of page views of events that sell tickets. Counts the caller's own events; for an admin, all events. */
  router.get('/api/platform/analytics/views', auth.role('business', 'admin'), async (req, res) => {
    const { id, role } = callerOf(req);
    const views = await viewsOfSales(pool, role === 'admin' ? null : id);
    personal(res).json({ views } satisfies ViewAnalytics);
  });

  router.post('/api/events/:id/share', auth.optional, (req: OfEvent, res) => {
    const eventId = eventIdOf(req);
    const sharer = req.caller
      ? `user:${req.caller.id}`
      : `visitor:${keyedText(secret, 'visitor who shared', `${eventId} ${senderOf(req)}`).slice(0, 22)}`;
    return apply(res, { eventId, kind: 'share', sharer });
  });

  router.post('/api/events/:id/view', (req: OfEvent, res) => {
    const eventId = eventIdOf(req);
    if (isFromOurPage(req)) views.note({ eventId, ...visitorOf(req) });
    personal(res).status(204).end();
  });

  router.get('/api/me/engagement', auth.signedIn, async (req, res) => {
    const { events } = EngagementQuery.parse(req.query);
    personal(res).json({ items: await engagementOf(pool, callerOf(req).id, events) });
  });
  router.get('/api/me/bookmarks', auth.signedIn, async (req, res) => {
    personal(res).json(await savedEvents(pool, callerOf(req).id, SavedQuery.parse(req.query), clock()));
  });

  return router;
}
