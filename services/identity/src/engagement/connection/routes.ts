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
  /** Limits requests per account. Refused requests count too. */
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
  /** Throws 404 both for accounts that the caller may not see and for accounts that do not exist. */
  async function known(req: Request): Promise<Connection> {
    const found = await connectionWith(readerOf(req), otherOf(req));
    if (!found) throw notFound('person');
    return found;
  }

  router.use(['/api/connections', '/api/people-met'], (_req, res, next) => {
    res.set('cache-control', 'private, no-store');
    next();
  });

  /** 200 a page of the caller's connections, sent requests and received requests. */
  router.get('/api/connections', access.signedIn, async (req, res) => {
    res.json(await connectionsOf(readerOf(req), ConnectionsQuery.parse(req.query)));
  });

  /** 200 a page of visible accounts that attended an event with the caller, without a request in either direction. */
  router.get('/api/people-met', access.signedIn, async (req, res) => {
    res.json(await peopleMet(readerOf(req), PeopleMetQuery.parse(req.query)));
  });

  /**
   * 200 the connection state. 404 if the account shares no event with the caller, is not visible, is blocked or does
   * not exist.
   */
  router.get('/api/connections/:userId', access.signedIn, async (req, res) => {
    res.json(await known(req));
  });

  /**
   * 200: requests a connection. The accounts are connected when both have requested it. Idempotent. 404 as above, 409
   * for the caller's own account.
   */
  router.put('/api/connections/:userId', access.signedIn, limit, async (req, res) => {
    if (otherOf(req) === callerOf(req).id) throw new Rejected('own-account');
    await known(req);
    await say(req, res, true);
    res.json(await known(req));
  });

  /** 204 always: withdraws the caller's request or declines the other account's request, if there is one. */
  router.delete('/api/connections/:userId', access.signedIn, limit, async (req, res) => {
    if (await hasToTakeBack(pool, callerOf(req).id, otherOf(req))) await say(req, res, false);
    res.status(204).end();
  });

  return router;
}
