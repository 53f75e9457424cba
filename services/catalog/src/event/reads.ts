import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common';
import { callerOf, type Authenticator, type Caller } from '@beltway/kit/auth';
import { bearerToken } from '@beltway/kit/bearer';
import { forbidden, notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import type { ListingRow } from './columns.ts';
import { answerOf, featured, forPicker, listingById, listingsOf, soonest } from './queries.ts';

/** A number of an event as it stands in the path. Anything else names no event: 404. */
export function eventIdOf(req: Request<{ id: string }>): number {
  const id = IdText.safeParse(req.params.id);
  if (!id.success) throw notFound('This event');
  return id.data;
}

export const mayManage = (caller: Caller, ownerId: number) => caller.role === 'admin' || caller.id === ownerId;

/** Anybody's: kept for a second by the gateway, dropped by its tag when an event changes. */
const isPublic = (res: Response, tag: string) => res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': tag });

/** What only its owner and admins see. `ETag` is the version for `If-Match`. */
export function answerOwner(res: Response, row: ListingRow): void {
  res.set({ 'Cache-Control': 'private, no-store', ETag: `"${row.version}"` }).json(answerOf(row, true));
}

/** Public reads do not ask who reads; a token that is not good (any more) makes nobody of its bearer, not an error. */
async function readerOf(req: Request, auth: Pick<Authenticator, 'verify'>): Promise<Caller | undefined> {
  const token = bearerToken(req.get('authorization'));
  return token ? auth.verify(token).catch(() => undefined) : undefined;
}

export interface ReadDeps {
  pool: Pool;
  db: Db;
  auth: Pick<Authenticator, 'verify' | 'signedIn'>;
  clock: () => Date;
}

/** Who may see what of events (docs/product.md#events). */
export function readRoutes({ pool, db, auth, clock }: ReadDeps): Router {
  const router = Router();
  const list = (res: Response, rows: ListingRow[]) =>
    isPublic(res, 'events').json(rows.map((row) => answerOf(row, false)));

  router.get('/api/events', async (_req, res) => void list(res, await soonest(pool, clock())));
  router.get('/api/events/featured', async (_req, res) => void list(res, await featured(pool, clock())));
  router.get('/api/events/all', async (_req, res) => void list(res, await forPicker(pool)));

  router.get('/api/events/:id', async (req, res) => {
    const eventId = eventIdOf(req);
    const [row, reader] = await Promise.all([listingById(pool, eventId), readerOf(req, auth)]);
    if (!row) throw notFound('This event');
    if (reader && mayManage(reader, row.ownerId)) return answerOwner(res, row);
    isPublic(res, `event-${eventId}`).json(answerOf(row, false));
  });

  router.get('/api/users/:id/events', auth.signedIn, async (req, res) => {
    const userId = IdText.safeParse(req.params['id']);
    if (!userId.success) throw notFound('This user');
    if (!mayManage(callerOf(req), userId.data)) throw forbidden();
    const rows = await listingsOf(db, userId.data);
    res.set('Cache-Control', 'private, no-store').json(rows.map((row) => answerOf(row, true)));
  });

  return router;
}
