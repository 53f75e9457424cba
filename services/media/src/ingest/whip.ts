import { Router, type Request } from 'express';
import type { Pool } from 'pg';
import { MAX_OFFER_BYTES } from '@beltway/contracts/media/broadcast';
import { IdText } from '@beltway/contracts/common/basics';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { arrivingBodies, bodiesInTime } from '@beltway/kit/arriving-bodies';
import { HttpProblem, notFound, unavailable } from '@beltway/kit/problems';
import { rateLimit } from '@beltway/kit/rate-limit';
import { readBody } from '@beltway/kit/read-body';
import { ownTerms } from '../broadcast/access.ts';
import { notNow } from '../broadcast/decider.ts';
import { broadcastRow } from '../broadcast/queries.ts';
import { signalHours } from '../broadcast/terms.ts';
import type { Ingest } from './ingest.ts';

export interface WhipDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  clock: () => Date;
  /** undefined if no media server runs here. */
  ingest: Pick<Ingest, 'openCamera' | 'closeCamera'> | undefined;
}

/** Rate limit for an account's connections. */
const OFFERS = { name: 'broadcast-cameras', points: 20, perSeconds: 60 };
const MAX_ARRIVING = 20;

/**
 * The browser's camera (WHIP, RFC 9725): accepts an SDP offer, and ends the camera. Mounted before the app's JSON
 * parser.
 */
export function whipRoutes({ pool, auth, clock, ingest }: WhipDeps): Router {
  const router = Router();
  const arriving = arrivingBodies({
    max: MAX_ARRIVING,
    senderOf: (req) => String(callerOf(req as Request).id),
    what: 'too-many-cameras',
  });
  const offers = rateLimit({ ...OFFERS, key: (req) => String(callerOf(req).id) });
  const own = async (req: Request) => {
    const id = IdText.safeParse(req.params['eventId']);
    if (!id.success) throw notFound('live-stream');
    return ownTerms(pool, id.data, callerOf(req));
  };

  router.post('/api/broadcasts/:eventId/whip', auth.signedIn, offers, bodiesInTime(arriving), async (req, res) => {
    const offer = (await readBody(req, MAX_OFFER_BYTES)).toString();
    const terms = await own(req);
    if (!req.is('application/sdp')) throw new HttpProblem(415, 'not-sdp');
    const { eventId } = terms;
    const status = (await broadcastRow(pool, eventId))?.status ?? 'waiting';
    const why = notNow(status, signalHours(terms, clock()));
    if (why) throw new HttpProblem(409, why);
    if (status === 'ended') throw new HttpProblem(409, 'stopped.studio');
    if (!ingest) throw unavailable('no-cameras', 60);
    const { id, answer } = await ingest.openCamera(eventId, offer);
    res.status(201).location(`/api/broadcasts/${eventId}/whip/${id}`).type('application/sdp').send(answer);
  });

  router.delete('/api/broadcasts/:eventId/whip/:session', auth.signedIn, async (req, res) => {
    const { eventId } = await own(req);
    ingest?.closeCamera(eventId, String(req.params['session']));
    res.status(204).end();
  });

  return router;
}
