import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import { OrganizerProfileBody } from '@beltway/contracts/catalog/organizer-profile';
import { FollowersQuery, type Followers } from '@beltway/contracts/realtime/notifications';
import type {
  Followed,
  FollowedAccounts,
  Following,
  Organizer,
  OrganizerEvents,
  Organizing,
} from '@beltway/contracts/catalog/organizers';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import { pathId } from '@beltway/kit/path-id';
import { notFound } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import type { Secrets } from '@beltway/kit/secrets';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { answerOf } from '../event/queries.ts';
import type { KeepPicture } from '../event/pictures.ts';
import { follow, followersOf, organizersFollowedBy, unfollow } from './follows.ts';
import { saveProfile } from './profile.ts';
import { eventsOfOrganizer, eventsPublishedBy, followedBy, organizerById, upcomingOfFollowed } from './queries.ts';

export interface OrganizerRoutesDeps {
  pool: Pool;
  keepPicture: KeepPicture;
  auth: Pick<Authenticator, 'signedIn'>;
  internalToken: Secrets;
  clock: () => Date;
}

const tagOf = (id: number) => `organizer-${id}`;

/** Organizers' pages and followers (services/catalog/PRODUCT.md#organizers). */
export function organizerRoutes({ pool, keepPicture, auth, internalToken, clock }: OrganizerRoutesDeps): Router {
  const router = Router();
  type Named = Request<{ id: string }>;

  /**
   * The organizer that the path names. Throws 404 for an account that published no event, so that the response does not
   * reveal which accounts exist.
   */
  async function organizerIn(req: Named): Promise<Organizer> {
    const organizer = await organizerById(pool, pathId(req, 'id', 'organizer'));
    if (!organizer) throw notFound('organizer');
    return organizer;
  }

  router.get('/api/organizers/:id', async (req, res) => {
    const organizer = await organizerIn(req);
    sharedAnswer(res, tagOf(organizer.id)).json(organizer);
  });

  router.get('/api/organizers/:id/events', async (req, res) => {
    const { id } = await organizerIn(req);
    const { upcoming, past, ...counts } = await eventsOfOrganizer(pool, id, clock());
    const answer: OrganizerEvents = {
      upcoming: upcoming.map((row) => answerOf(row, false)),
      past: past.map((row) => answerOf(row, false)),
      ...counts,
    };
    sharedAnswer(res, `events, ${tagOf(id)}`).json(answer);
  });

  // The response has the cache tags of the changed data, so that the gateway purges its cached responses immediately.
  const changed = (res: Response, id: number, answer: Followed) =>
    void res.set({ 'Cache-Control': 'private, no-store', 'Cache-Tag': tagOf(id) }).json(answer);

  router.put('/api/organizers/:id/follow', auth.signedIn, async (req: Named, res) => {
    const { id } = await organizerIn(req);
    changed(res, id, await follow(pool, callerOf(req).id, id));
  });
  router.delete('/api/organizers/:id/follow', auth.signedIn, async (req: Named, res) => {
    const { id } = await organizerIn(req);
    changed(res, id, await unfollow(pool, callerOf(req).id, id));
  });

  router.get('/api/me/organizer', auth.signedIn, async (req, res) => {
    const answer: Organizing = await eventsPublishedBy(pool, callerOf(req).id);
    res.set('Cache-Control', 'private, no-store').json(answer);
  });

  /**
   * Writes the caller's profile. 200 with the organizer and the new profile; 404 if the caller has not published an
   * event yet.
   */
  router.put('/api/me/organizer', auth.signedIn, async (req, res) => {
    const caller = callerOf(req);
    const profile = OrganizerProfileBody.parse(req.body);
    if (!(await organizerById(pool, caller.id))) throw notFound('organizer');
    await saveProfile(pool, keepPicture, caller.id, profile, { caller, address: addressOf(req) });
    const organizer = await organizerById(pool, caller.id);
    if (!organizer) throw notFound('organizer');
    res
      .set({ 'Cache-Control': 'private, no-store', 'Cache-Tag': tagOf(caller.id) })
      .json(organizer satisfies Organizer);
  });

  router.get('/api/me/following', auth.signedIn, async (req, res) => {
    const { id } = callerOf(req);
    const [organizers, upcoming] = await Promise.all([followedBy(pool, id), upcomingOfFollowed(pool, id, clock())]);
    const answer: Following = { organizers, upcoming: upcoming.map((row) => answerOf(row, false)) };
    res.set('Cache-Control', 'private, no-store').json(answer);
  });

  router.get('/internal/followers/:organizerId', internalOnly(internalToken), async (req, res) => {
    const { after, limit } = FollowersQuery.parse(req.query);
    const accounts = await followersOf(pool, IdText.parse(req.params['organizerId']), { after, limit });
    res.json({ accounts } satisfies Followers);
  });

  router.get('/internal/following/:userId', internalOnly(internalToken), async (req, res) => {
    const accounts = await organizersFollowedBy(pool, IdText.parse(req.params['userId']));
    res.json({ accounts } satisfies FollowedAccounts);
  });

  return router;
}
