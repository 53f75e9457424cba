import { randomBytes, randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import {
  BROADCAST,
  BroadcastUrlBody,
  outsideStreamOf,
  PlayClipBody,
  type StreamSources,
  type ViewerSeat,
} from '@beltway/contracts/media/broadcast';
import { IdText } from '@beltway/contracts/common/basics';
import { callerOf, type Authenticator, type Caller } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import { siteOf } from '@beltway/kit/network';
import { HttpProblem, badField, notFound } from '@beltway/kit/problems';
import { rateLimit, senderOf } from '@beltway/kit/rate-limit';
import type { Secrets } from '@beltway/kit/secrets';
import { commandFrom } from '../item/command.ts';
import { barOf, isOwnerOrAdmin, ownTerms } from './access.ts';
import type { Broadcasts } from './stream.ts';
import { broadcastOf, broadcastRow, ingestState, playbackOf, type BroadcastRow } from './queries.ts';
import type { Seats } from './seats.ts';
import type { Signing } from './signing.ts';
import { signalHours, termsOf, type BroadcastTerms } from './terms.ts';

export interface BroadcastDeps {
  pool: Pool;
  broadcasts: Broadcasts;
  seats: Seats;
  signing: Signing;
  auth: Pick<Authenticator, 'signedIn' | 'optional'>;
  clock: () => Date;
  internalToken: Secrets;
  /** Called when a signal may have to be disconnected. */
  wakeIngest: () => void;
}

/** Rate limit for an account's changes to broadcasts. */
const CHANGES = { name: 'broadcast-changes', points: 60, perSeconds: 60 };
/** Maximum seats of one account. */
const SEATS_OF_ACCOUNT = 4;
/**
 * Maximum seats, in one network, of viewers without verified accounts: a quarter of all seats, but at least 60 while
 * half of all seats are free. Such a network is an office, a campus or the customers of an internet provider. The limit
 * keeps one network from taking all seats.
 */
const PART_OF_NETWORK = 1 / 4;
const SEATS_OF_NETWORK = 60;
const FAULTS = {
  'sign-in': () => new HttpProblem(401, 'sign-in-needed'),
  ticket: () => new HttpProblem(403, 'ticket-needed'),
  full: () => new HttpProblem(409, 'stream-full'),
  'too-many': () => new HttpProblem(409, 'too-many-pages'),
  'too-many-here': () => new HttpProblem(409, 'too-many-viewers-here'),
};

const ViewerId = z.uuid();

/** Sending and watching live streams (services/media/PRODUCT.md#broadcasts). */
export function broadcastRoutes(deps: BroadcastDeps): Router {
  const { pool, broadcasts, seats, signing, auth, clock, wakeIngest } = deps;
  const router = Router();
  const changes = rateLimit({ ...CHANGES, key: (req) => String(callerOf(req).id) });
  const idOf = (req: Request): number => {
    const id = IdText.safeParse(req.params['eventId']);
    if (!id.success) throw notFound('live-stream');
    return id.data;
  };
  const own = (req: Request): Promise<BroadcastTerms> => ownTerms(pool, idOf(req), callerOf(req));
  const whole = (terms: BroadcastTerms) => broadcastOf(deps, terms, clock());

  /** 200 StreamSources. Public, because organizers read this list before they pay. */
  router.get('/api/stream-sources', async (_req, res) => {
    const { rtmpUrl, whipUrl } = await ingestState(pool, 0);
    res.json({ encoder: rtmpUrl !== null, camera: whipUrl !== null } satisfies StreamSources);
  });

  router.get('/api/broadcasts/:eventId', auth.signedIn, async (req, res) => {
    res.json(await whole(await own(req)));
  });

  router.post('/api/broadcasts/:eventId/key', auth.signedIn, changes, async (req, res) => {
    const { eventId } = await own(req);
    const streamKey = `${eventId}-${randomBytes(24).toString('base64url')}`;
    const command = {
      type: 'MakeKey',
      eventId,
      digest: signing.digest(streamKey),
      ending: streamKey.slice(-4),
    } as const;
    await broadcasts.handle(eventId, command, commandFrom(req));
    wakeIngest();
    const row = await broadcastRow(pool, eventId);
    res.status(201).json({ streamKey, madeAt: (row?.keyMadeAt ?? clock()).toISOString() });
  });

  router.put('/api/broadcasts/:eventId/url', auth.signedIn, changes, async (req, res) => {
    const terms = await own(req);
    const { eventId } = terms;
    const { livestreamUrl } = BroadcastUrlBody.parse(req.body);
    await broadcasts.handle(eventId, { type: 'SetAddress', eventId, livestreamUrl }, commandFrom(req));
    res.json(await whole(terms));
  });

  router.post('/api/broadcasts/:eventId/start', auth.signedIn, changes, async (req, res) => {
    const terms = await own(req);
    const { eventId } = terms;
    await broadcasts.handle(eventId, { type: 'Start', eventId, ...signalHours(terms, clock()) }, commandFrom(req));
    res.json(await whole(terms));
  });

  router.post('/api/broadcasts/:eventId/stop', auth.signedIn, changes, async (req, res) => {
    const terms = await own(req);
    const { eventId } = terms;
    await broadcasts.handle(eventId, { type: 'Stop', eventId }, commandFrom(req));
    wakeIngest();
    res.json(await whole(terms));
  });

  // Only the demo's script calls this route: users cannot play a clip instead of a camera.
  router.post('/internal/broadcasts/:eventId/clip', internalOnly(deps.internalToken), async (req, res) => {
    const eventId = idOf(req);
    const { clip } = PlayClipBody.parse(req.body);
    const terms = await termsOf(pool, eventId);
    if (!terms) throw notFound('live-stream');
    const command = { type: 'PlayClip', eventId, clip, ...signalHours(terms, clock()) } as const;
    await broadcasts.handle(eventId, command, { commandId: randomUUID() });
    res.status(204).end();
  });

  router.get('/api/live-streams/:eventId/playback', auth.optional, async (req, res) => {
    const terms = await termsOf(pool, idOf(req));
    if (!terms) throw notFound('live-stream');
    const bar = await barOf(pool, terms, req.caller);
    res.set('Cache-Control', 'no-store').json(await playbackOf(deps, terms, bar, clock()));
  });

  const viewerOf = (req: Request) => {
    const viewerId = ViewerId.safeParse(req.params['viewerId']);
    if (!viewerId.success) throw badField('viewerId', 'invalid.viewer-id');
    return { eventId: idOf(req), viewerId: viewerId.data.toLowerCase() };
  };
  const networkHolder = (req: Request) => `network:${signing.sign('network', siteOf(senderOf(req)))}`;
  const accountHolder = ({ id }: Caller) => `account:${id}`;
  /**
   * Accounts are free to create. An account with neither a verified email address nor a ticket therefore shares the
   * seats of its network.
   */
  const holderOf = (req: Request, { isTicketed, maxViewers }: BroadcastTerms) => {
    const { caller } = req;
    if (caller && (caller.isVerified || isTicketed)) {
      const holder = accountHolder(caller);
      return {
        holder,
        maxOfHolder: SEATS_OF_ACCOUNT,
        maxOfHolderWhenBusy: SEATS_OF_ACCOUNT,
        tooMany: 'too-many',
      } as const;
    }
    const part = Math.ceil(maxViewers * PART_OF_NETWORK);
    const maxOfHolder = Math.max(part, SEATS_OF_NETWORK);
    return { holder: networkHolder(req), maxOfHolder, maxOfHolderWhenBusy: part, tooMany: 'too-many-here' } as const;
  };

  router.put('/api/live-streams/:eventId/viewers/:viewerId', auth.optional, async (req, res) => {
    const viewer = viewerOf(req);
    const terms = await termsOf(pool, viewer.eventId);
    if (!terms) throw notFound('live-stream');
    const bar = await barOf(pool, terms, req.caller);
    if (bar) throw FAULTS[bar]();
    const row = await broadcastRow(pool, viewer.eventId);
    const shown = row && shownOf(row, viewer, signing);
    if (!shown) throw new HttpProblem(409, 'not-live');
    const { tooMany, ...holder } = holderOf(req, terms);
    const outcome = await seats.take({
      ...viewer,
      ...holder,
      // The owner may watch even when all seats are taken.
      maxViewers: terms.maxViewers,
      isUnlimited: isOwnerOrAdmin(req.caller, terms),
    });
    if (outcome !== 'seated') throw FAULTS[outcome === 'too-many' ? tooMany : outcome]();
    const { viewers } = await playbackOf(deps, terms, null, clock());
    const seat: ViewerSeat = { ...shown, viewers, renewSeconds: BROADCAST.renewSeconds };
    res.set('Cache-Control', 'no-store').json(seat);
  });

  router.delete('/api/live-streams/:eventId/viewers/:viewerId', auth.optional, async (req, res) => {
    const holders = [networkHolder(req), ...(req.caller ? [accountHolder(req.caller)] : [])];
    await seats.leave({ ...viewerOf(req), holders });
    res.status(204).end();
  });

  return router;
}

/** What a viewer of this broadcast plays now; undefined if there is nothing to play. */
function shownOf(
  { status, source, livestreamUrl, isReceiving }: BroadcastRow,
  { eventId, viewerId }: { eventId: number; viewerId: string },
  signing: Signing,
): Pick<ViewerSeat, 'kind' | 'url' | 'isReceiving' | 'isClip'> | undefined {
  if (status !== 'live') return undefined;
  if (source === 'outside') {
    const outside = livestreamUrl === null ? null : outsideStreamOf(livestreamUrl);
    return outside ? { ...outside, isReceiving: true, isClip: false } : undefined;
  }
  const url = `/media/live/${eventId}/${viewerId}.${signing.sign('viewer', String(eventId), viewerId)}/index.m3u8`;
  return { kind: 'hls', url, isReceiving, isClip: source === 'clip' };
}
