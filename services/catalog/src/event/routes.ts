import { Router, type Express, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { CancelEventBody, RefundableOfEvent, type EventCancellation } from '@beltway/contracts/catalog/events';
import { moneyText } from '@beltway/contracts/common/basics';
import { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { daysOf } from '@beltway/contracts/catalog/series';
import { dayOf, endOf } from '@beltway/contracts/common/times';
import { Rejected } from '@beltway/kit/rejected';
import type { Allowances } from '@beltway/kit/allowances';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator, type Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import { largeTextBody } from '@beltway/kit/large-text';
import { pathId } from '@beltway/kit/path-id';
import { badField, forbidden, notFound, asProblem, ofField } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { noteAccount } from '../accounts/accounts.ts';
import { checkSeries, isKept, keepSeries, publishSeries } from '../series/series.ts';
import type { ListingRow } from './queries.ts';
import { changesOf, detailsOf } from './details.ts';
import type { Listings } from './stream.ts';
import type { KeepPicture } from './pictures.ts';
import { takePublishing } from './publish-limits.ts';
import { answerOf, forPicker, listingById, listingsOf, otherDates, promoted, soonest } from './queries.ts';
import { contextOf, eventIdOf, reserveEventId } from './requests.ts';

const mayManage = (caller: Caller, organizerId: number) => caller.role === 'admin' || caller.id === organizerId;

/**
 * What only its organizer and admins see. `ETag` is the version for `If-Match`. The answer to a write names what it
 * changed, so that the gateway drops it at once.
 */
function answerOrganizer(res: Response, row: ListingRow): void {
  const { method } = res.req;
  if (method !== 'GET') res.set('Cache-Tag', `events, event-${row.eventId}`);
  res.set({ 'Cache-Control': 'private, no-store', ETag: `"${row.version}"` }).json(answerOf(row, true));
}

/** A picture of 5 MB as base64 with its `data:` in front. */
const PICTURE_BYTES = 7_100_000;
/** Four of the largest in memory, where a process has 384 MB for everything; each is there up to four times while it is handed on. */
const PICTURES_TOGETHER = 4 * PICTURE_BYTES;

/** Before the app's JSON parser: only who is signed in may send a picture, and only a picture may be large. */
export function pictureBodies(app: Express, signedIn: Authenticator['signedIn']): void {
  const withPicture = largeTextBody({ field: 'imageUrl', maxBytes: PICTURE_BYTES, maxTotalBytes: PICTURES_TOGETHER });
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
  'livestream-startTime': [422, 'startTime'],
  'livestream-endTime': [422, 'endTime'],
};

/** A refusal that is about one field names it, so that the form can show it there. */
function nameField(error: unknown): never {
  const known = error instanceof Rejected ? FIELDS[error.code] : undefined;
  if (!(error instanceof Rejected) || !known) throw error;
  const [status, field] = known;
  throw ofField(status, asProblem(error), field);
}

/** `If-Match: "3"`: only if the event is still as the organizer saw it. Anything we never gave out matches nothing. */
function seenBy(req: Request): { seen?: number } {
  const match = req.get('if-match');
  return match === undefined || match === '*' ? {} : { seen: Number(/^"(\d{1,9})"$/.exec(match)?.[1] ?? -1) };
}

/** As the rules have it: while it is postponed it has no end. */
const isOver = (row: ListingRow, now: Date): boolean => row.status === 'published' && endOf(row) <= now;

const refundableOf = async (
  payments: Pick<InternalClient, 'get'>,
  { eventId, organizerId }: ListingRow,
): Promise<RefundableOfEvent> =>
  RefundableOfEvent.parse(await payments.get(`/internal/events/${eventId}/refundable?organizerId=${organizerId}`));

/** Canceling an event that is over gives money back that its organizer may have been paid: an admin has seen how much. */
function assertConfirmed({ orders, refundCents }: RefundableOfEvent, confirm: CancelEventBody['confirm']): void {
  if (confirm?.orders === orders && confirm.refundCents === refundCents) return;
  const params = { orders, refundCents, total: moneyText(refundCents) };
  throw badField('confirm', 'confirm-refunds', { status: 409, params });
}

export interface EventRoutesDeps {
  pool: Pool;
  listings: Listings;
  keepPicture: KeepPicture;
  auth: Pick<Authenticator, 'signedIn' | 'role'>;
  allowances: Allowances;
  clock: () => Date;
  /** Asked what canceling an event gives back. */
  payments: Pick<InternalClient, 'get'>;
}

/**
 * Access (services/catalog/PRODUCT.md#launching-an-event): any account publishes; the organizer
 * and admins change and cancel, after its end
 * admins alone.
 */
export function eventRoutes({
  pool,
  listings,
  keepPicture,
  auth,
  allowances,
  clock,
  payments,
}: EventRoutesDeps): Router {
  const router = Router();
  const list = (res: Response, rows: ListingRow[]) =>
    sharedAnswer(res, 'events').json(rows.map((row) => answerOf(row, false)));

  const rowOf = async (eventId: number): Promise<ListingRow> => {
    const row = await listingById(pool, eventId);
    if (!row) throw notFound('event');
    return row;
  };
  const managed = async (req: Request<{ id: string }>): Promise<ListingRow> => {
    const row = await rowOf(eventIdOf(req));
    if (!mayManage(callerOf(req), row.organizerId)) throw forbidden();
    return row;
  };

  router.get('/api/events', async (_req, res) => void list(res, await soonest(pool, clock())));
  router.get('/api/events/featured', async (_req, res) => void list(res, await promoted(pool, 'featured', clock())));
  router.get('/api/events/premium', async (_req, res) => void list(res, await promoted(pool, 'premium', clock())));
  router.get('/api/events/all', async (_req, res) => void list(res, await forPicker(pool)));

  router.get('/api/events/:id', async (req, res) => {
    const row = await rowOf(eventIdOf(req));
    sharedAnswer(res, `event-${row.eventId}`).json(answerOf(row, false));
  });

  router.get('/api/events/:id/dates', async (req, res) => {
    list(res, await otherDates(pool, eventIdOf(req), clock()));
  });

  router.get('/api/events/:id/managed', auth.signedIn, async (req: Request<{ id: string }>, res) =>
    answerOrganizer(res, await managed(req)),
  );

  router.get('/api/users/:id/events', auth.signedIn, async (req, res) => {
    const userId = pathId(req, 'id', 'user');
    if (!mayManage(callerOf(req), userId)) throw forbidden();
    const rows = await listingsOf(pool, userId);
    res.set('Cache-Control', 'private, no-store').json(rows.map((row) => answerOf(row, true)));
  });

  router.post('/api/events', auth.signedIn, async (req, res) => {
    const body = CreateEventBody.parse(req.body);
    const caller = callerOf(req);
    const { id: organizerId, name } = caller;
    const address = addressOf(req);
    const context = contextOf(req, organizerId, 'publish');
    const eventId = await reserveEventId(pool, req, organizerId, context.fingerprint);
    const askedAt = clock().toISOString();
    const seriesOf = (picture: string | null) => ({ organizerId, details: detailsOf(body, picture), askedAt });
    /** Counted last: what is refused for another reason takes nothing of what one may publish. */
    const counted = async (days: string[]) => {
      checkSeries(seriesOf(null), eventId, days);
      const picture = await keepPicture(body.imageUrl, { caller, address });
      await takePublishing(allowances, { caller, address, events: days.length });
      return seriesOf(picture);
    };
    const firstDay = dayOf(seriesOf(null).details.eventDate);
    if (body.repeat) {
      if (!(await isKept({ pool }, eventId))) {
        const days = daysOf(firstDay, body.repeat);
        await keepSeries({ pool, listings }, eventId, await counted(days).catch(nameField), days);
      }
      await publishSeries({ pool, listings }, eventId, { correlationId: requestIdOf(res) });
    } else if (!(await listingById(pool, eventId))) {
      const { details } = await counted([firstDay]).catch(nameField);
      await noteAccount(pool, { userId: organizerId, name });
      await listings
        .handle(eventId, { type: 'PublishEvent', organizerId, details, at: askedAt }, context)
        .catch(nameField);
    }
    res.status(201).location(`/api/events/${eventId}`);
    answerOrganizer(res, await rowOf(eventId));
  });

  router.patch('/api/events/:id', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const body = UpdateEventBody.parse(req.body);
    const { eventId, sold, held, status, pictureUrl } = await managed(req);
    if (status === 'canceled') throw new Rejected('event-canceled');
    // Its own picture stays, without asking media: it is named already.
    const staysAsIs = body.imageUrl === undefined || (body.imageUrl !== null && body.imageUrl === pictureUrl);
    const changes = changesOf(
      body,
      staysAsIs ? undefined : await keepPicture(body.imageUrl, { caller: callerOf(req), address: addressOf(req) }),
    );
    const context = contextOf(req, callerOf(req).id, `update ${eventId}`);
    await listings
      .handle(
        eventId,
        {
          ...{ type: 'UpdateEvent', changes, taken: sold + held, at: clock().toISOString() },
          ...seenBy(req),
          ...(callerOf(req).role === 'admin' && { afterEnd: true as const }),
        },
        context,
      )
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  router.post('/api/events/:id/postpone', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const { eventId } = await managed(req);
    const context = contextOf(req, callerOf(req).id, `postpone ${eventId}`);
    await listings
      .handle(eventId, { type: 'PostponeEvent', at: clock().toISOString(), ...seenBy(req) }, context)
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  /** How its live stream is to be, while that is still to come. 409 `no-livestream`, `livestream-begun`, `event-postponed`; 422 by field. */
  router.put('/api/events/:id/livestream', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const livestream = LivestreamConfig.parse(req.body);
    const { eventId } = await managed(req);
    const context = contextOf(req, callerOf(req).id, `livestream ${eventId}`);
    await listings
      .handle(eventId, { type: 'ChangeLivestream', livestream, at: clock().toISOString() }, context)
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  /** What canceling it gives back, for admins, who confirm it when the event is over. */
  router.get('/api/events/:id/cancellation', auth.role('admin'), async (req: Request<{ id: string }>, res) => {
    const row = await rowOf(eventIdOf(req));
    const answer: EventCancellation = {
      ...{ eventId: row.eventId, isOver: isOver(row, clock()) },
      ...(await refundableOf(payments, row)),
    };
    res.set('Cache-Control', 'private, no-store').json(answer);
  });

  /**
   * Its organizer may until it is over; after that only an admin, by the figures that `cancellation` answers. 409 `event-over`,
   * `confirm-refunds`, `event-canceled`.
   */
  router.post('/api/events/:id/cancel', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const row = await managed(req);
    const { confirm } = CancelEventBody.parse(req.body ?? {});
    const { eventId } = row;
    const now = clock();
    const afterEnd = callerOf(req).role === 'admin' && isOver(row, now);
    if (afterEnd) assertConfirmed(await refundableOf(payments, row), confirm);
    const context = contextOf(req, callerOf(req).id, `cancel ${eventId}`);
    await listings
      .handle(
        eventId,
        { type: 'CancelEvent', at: now.toISOString(), ...seenBy(req), ...(afterEnd && { afterEnd }) },
        context,
      )
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  return router;
}
