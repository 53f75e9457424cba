import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import { ConnectionsQuery, PeopleMetQuery, type Connection } from '@beltway/contracts/identity/connections';
import { Rejected } from '@beltway/kit/rejected';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { notFound } from '@beltway/kit/problems';
import type { AccessTokens } from '../../session/access-tokens.ts';
import { connectionsOf, connectionWith, hasToTakeBack, peopleMet, type Blocked, type Reader } from './queries.ts';
import type { Engagements } from '../stream.ts';

interface ConnectionRoutesOptions {
  pool: Pool;
  engagements: Pick<Engagements, 'handle'>;
  access: Pick<AccessTokens, 'signedIn'>;
  /** Per account, also of what is refused. */
  limit: RequestHandler;
  blocked: Blocked;
  clock: () => Date;
}

/** Meetings and connections of accounts: services/identity/PRODUCT.md#connections */
export function connectionRoutes({
  pool,
  engagements,
  access,
  limit,
  blocked,
  clock,
}: ConnectionRoutesOptions): Router {
  const router = Router();
  const readerOf = (req: Request): Reader => ({ pool, blocked, userId: callerOf(req).id, now: clock() });
  const otherOf = (req: Request): number => IdText.parse(req.params['userId']);
  const say = (req: Request, res: Response, wants: boolean) => {
    const { id } = callerOf(req);
    return engagements.handle(
      String(id),
      { type: 'SayConnection', otherId: otherOf(req), wants },
      { commandId: randomUUID(), correlationId: requestIdOf(res), userId: id },
    );
  };
  /** Whom one may know of; of everybody else it is as if they were not there. */
  async function known(req: Request): Promise<Connection> {
    const found = await connectionWith(readerOf(req), otherOf(req));
    if (!found) throw notFound('person');
    return found;
  }

  router.use(['/api/connections', '/api/people-met'], (_req, res, next) => {
    res.set('cache-control', 'private, no-store');
    next();
  });

  /** 200 a page of one's connections, of those one asked and those who ask. */
  router.get('/api/connections', access.signedIn, async (req, res) => {
    res.json(await connectionsOf(readerOf(req), ConnectionsQuery.parse(req.query)));
  });

  /** 200 a page of those who attended the same event and chose to be seen, and of whom nothing was said yet. */
  router.get('/api/people-met', access.signedIn, async (req, res) => {
    res.json(await peopleMet(readerOf(req), PeopleMetQuery.parse(req.query)));
  });

  /** 200 how one stands with somebody; 404 of who attended nothing together with one, is not seen or blocked, or is nobody. */
  router.get('/api/connections/:userId', access.signedIn, async (req, res) => {
    res.json(await known(req));
  });

  /** 200, one wants to be connected; it is a connection when the other does too. A repeat changes nothing. 404 as above, 409 of oneself. */
  router.put('/api/connections/:userId', access.signedIn, limit, async (req, res) => {
    if (otherOf(req) === callerOf(req).id) throw new Rejected('own-account');
    await known(req);
    await say(req, res, true);
    res.json(await known(req));
  });

  /** 204 always: one's own word is taken back, or who asked is turned down, where there is any. */
  router.delete('/api/connections/:userId', access.signedIn, limit, async (req, res) => {
    if (await hasToTakeBack(pool, callerOf(req).id, otherOf(req))) await say(req, res, false);
    res.status(204).end();
  });

  return router;
}
