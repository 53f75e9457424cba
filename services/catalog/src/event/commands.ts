import { Router, type Express, type Request } from 'express';
import type { Pool } from 'pg';
import { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog';
import { Rejected } from '@beltway/event-store';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { largeTextBody } from '@beltway/kit/large-text';
import { HttpProblem, forbidden, notFound } from '@beltway/kit/problems';
import type { ListingRow } from './columns.ts';
import type { Db } from '../db.ts';
import { changesOf, detailsOf } from './details.ts';
import type { Listings } from './listings.ts';
import type { KeepPicture } from './pictures.ts';
import { listingById } from './queries.ts';
import { answerOwner, eventIdOf, mayManage } from './reads.ts';
import { contextOf, reserveEventId } from './requests.ts';

/** A picture of 5 MB as base64 with its `data:` in front. */
const PICTURE_BYTES = 7_100_000;
/** Four of the largest in memory, where a process has 384 MB for everything; each is there up to four times while it is handed on. */
const PICTURES_TOGETHER = 4 * PICTURE_BYTES;

/** Before the app's JSON parser: only who is signed in may send a picture, and only a picture may be large. */
export function pictureBodies(app: Express, signedIn: Authenticator['signedIn']): void {
  const withPicture = largeTextBody({ field: 'imageUrl', most: PICTURE_BYTES, mostTogether: PICTURES_TOGETHER });
  app.post('/api/events', signedIn, withPicture);
  app.patch('/api/events/:id', signedIn, withPicture);
}

const FIELDS: Record<string, [status: number, field: string]> = {
  'date-in-past': [400, 'eventDate'],
  'start-in-past': [400, 'eventStartTime'],
  'price-missing': [400, 'ticketPrice'],
  'capacity-missing': [400, 'totalTickets'],
  'sales-end-before-start': [400, 'ticketSalesEndTime'],
  'capacity-below-taken': [409, 'totalTickets'],
  'tickets-taken': [409, 'hasTickets'],
  'changed-meanwhile': [412, 'If-Match'],
};

/** A refusal that is about one field names it, so that the form can show it there. */
function nameField(error: unknown): never {
  const known = error instanceof Rejected ? FIELDS[error.code] : undefined;
  if (!(error instanceof Rejected) || !known) throw error;
  const [status, field] = known;
  throw new HttpProblem(status, error.code, error.message, { errors: [{ field, message: error.message }] });
}

/** `If-Match: "3"`: only if the event is still as the owner saw it. Anything we never gave out matches nothing. */
function seenBy(req: Request): { seen?: number } {
  const match = req.get('if-match');
  return match === undefined || match === '*' ? {} : { seen: Number(/^"(\d{1,9})"$/.exec(match)?.[1] ?? -1) };
}

export interface CommandDeps {
  pool: Pool;
  db: Db;
  listings: Listings;
  keepPicture: KeepPicture;
  auth: Pick<Authenticator, 'signedIn'>;
  clock: () => Date;
}

/** Who may ask for what: any account publishes; the owner and admins change and cancel. */
export function commandRoutes({ pool, db, listings, keepPicture, auth, clock }: CommandDeps): Router {
  const router = Router();

  const rowOf = async (eventId: number): Promise<ListingRow> => {
    const row = await listingById(pool, eventId);
    if (!row) throw notFound('This event');
    return row;
  };
  const managed = async (req: Request<{ id: string }>): Promise<ListingRow> => {
    const row = await rowOf(eventIdOf(req));
    if (!mayManage(callerOf(req), row.ownerId)) throw forbidden();
    return row;
  };

  router.post('/api/events', auth.signedIn, async (req, res) => {
    const body = CreateEventBody.parse(req.body);
    const { id: ownerId } = callerOf(req);
    const context = contextOf(req, ownerId, 'publish');
    const eventId = await reserveEventId({ pool, db }, req, ownerId, context.fingerprint);
    if (!(await listingById(pool, eventId))) {
      const details = detailsOf(body, await keepPicture(body.imageUrl));
      await listings
        .handle(eventId, { type: 'PublishEvent', ownerId, details, at: clock().toISOString() }, context)
        .catch(nameField);
    }
    res.status(201).location(`/api/events/${eventId}`);
    answerOwner(res, await rowOf(eventId));
  });

  router.patch('/api/events/:id', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const body = UpdateEventBody.parse(req.body);
    const { eventId, sold, held, status } = await managed(req);
    if (status === 'cancelled') throw new Rejected('event-cancelled', 'This event was cancelled.');
    const changes = changesOf(body, body.imageUrl === undefined ? undefined : await keepPicture(body.imageUrl));
    const context = contextOf(req, callerOf(req).id, `update ${eventId}`);
    await listings
      .handle(
        eventId,
        { type: 'UpdateEvent', changes, taken: sold + held, at: clock().toISOString(), ...seenBy(req) },
        context,
      )
      .catch(nameField);
    answerOwner(res, await rowOf(eventId));
  });

  router.post('/api/events/:id/cancel', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const { eventId } = await managed(req);
    const context = contextOf(req, callerOf(req).id, `cancel ${eventId}`);
    await listings.handle(eventId, { type: 'CancelEvent', ...seenBy(req) }, context).catch(nameField);
    answerOwner(res, await rowOf(eventId));
  });

  return router;
}
