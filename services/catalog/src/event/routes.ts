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
import { noteNewVersion } from '@beltway/kit/service/moderated';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { noteAccount } from '../accounts/accounts.ts';
import { checkPublished } from '../suspension/suspension.ts';
import { checkSeries, isKept, keepSeries, publishSeries } from '../series/series.ts';
import type { ListingRow } from './queries.ts';
import { changesOf, detailsOf } from './details.ts';
import type { Listings } from './stream.ts';
import type { KeepPicture } from './pictures.ts';
import { takePublishing } from './publish-limits.ts';
import { answerOf, forPicker, listingById, listingsOf, otherDates, promoted, soonest, statusOf } from './queries.ts';
import { contextOf, eventIdOf, reserveEventId } from './requests.ts';

const mayManage = (caller: Caller, organizerId: number) => caller.role === 'admin' || caller.id === organizerId;

/**
 * Responds with the event as the organizer and admins see it. `ETag` is the version for `If-Match`. The response to a
 * write has the cache tags of the changed data, so that the gateway purges its cached responses immediately.
 */
function answerOrganizer(res: Response, row: ListingRow): void {
  const { method } = res.req;
  if (method !== 'GET') res.set('Cache-Tag', `events, event-${row.eventId}`);
  res.set({ 'Cache-Control': 'private, no-store', ETag: `"${row.version}"` }).json(answerOf(row, true));
}

/** The size of a 5 MB picture as base64 with its `data:` prefix. */
const PICTURE_BYTES = 7_100_000;
/**
 * At most four of the largest pictures are in memory at a time. A process has 384 MB in total, and while it forwards a
 * picture it may hold four copies of it.
 */
const PICTURES_TOGETHER = 4 * PICTURE_BYTES;

/**
 * Parses bodies with an event's picture. Must be mounted before the app's JSON parser. Only signed-in users may send a
 * picture, and all other fields must be small.
 */
export function pictureBodies(app: Express, signedIn: Authenticator['signedIn']): void {
  const withPicture = largeTextBody({ field: 'imageUrl', maxBytes: PICTURE_BYTES, maxTotalBytes: PICTURES_TOGETHER });
  app.post('/api/events', signedIn, withPicture);
  app.patch('/api/events/:id', signedIn, withPicture);
}

const FIELDS: Record<string, [status: number, field: string]> = {
  'date-in-past': [400, 'eventDate'],
  'start-in-past': [400, 'eventStartTime'],
  'last-date': [400, 'eventLastDate'],
  'price-missing': [400, 'ticketPrice'],
  'capacity-missing': [400, 'totalTickets'],
  'sales-end-before-start': [400, 'ticketSalesEndTime'],
  'capacity-below-taken': [409, 'totalTickets'],
  'tickets-taken': [409, 'hasTickets'],
  'changed-meanwhile': [412, 'If-Match'],
  'livestream-startTime': [422, 'startTime'],
  'livestream-endTime': [422, 'endTime'],
};

/** If a refusal is about one field, adds the field's name, so that the form can show the refusal at that field. */
function nameField(error: unknown): never {
  const known = error instanceof Rejected ? FIELDS[error.code] : undefined;
  if (!(error instanceof Rejected) || !known) throw error;
  const [status, field] = known;
  throw ofField(status, asProblem(error), field);
}

/**
 * The version in `If-Match: "3"`. The change applies only if the event still has this version. A value that we never
 * issued becomes -1, which matches no version.
 */
function seenBy(req: Request): { seen?: number } {
  const match = req.get('if-match');
  return match === undefined || match === '*' ? {} : { seen: Number(/^"(\d{1,9})"$/.exec(match)?.[1] ?? -1) };
}

/** Same rule as the decider: a postponed event has no end. */
const isOver = (row: ListingRow, now: Date): boolean => statusOf(row) === 'published' && endOf(row) <= now;

const refundableOf = async (
  payments: Pick<InternalClient, 'get'>,
  { eventId, organizerId }: ListingRow,
): Promise<RefundableOfEvent> =>
  RefundableOfEvent.parse(await payments.get(`/internal/events/${eventId}/refundable?organizerId=${organizerId}`));

/**
 * Throws 409 unless an admin has confirmed these figures. Canceling a past event refunds money that may already have
 * been paid out to its organizer.
 */
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
  /** Reports what canceling an event refunds. */
  payments: Pick<InternalClient, 'get'>;
}

/**
 * Access (services/catalog/PRODUCT.md#launching-an-event): any account may publish an event. The organizer and admins
 * may change and cancel the event; after its end only admins may cancel it.
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
    /** Counts the request last, so that a request that is refused for another reason is not counted. */
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
      await checkPublished(pool, organizerId);
    }
    res.status(201).location(`/api/events/${eventId}`);
    answerOrganizer(res, await rowOf(eventId));
  });

  router.patch('/api/events/:id', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const body = UpdateEventBody.parse(req.body);
    const { eventId, sold, held, status, pictureUrl } = await managed(req);
    if (status === 'canceled') throw new Rejected('event-canceled');
    // If the picture stays unchanged, media need not be called: media keeps the picture, because the event already
    // refers to it.
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
    const row = await rowOf(eventId);
    await noteNewVersion(pool, 'event', eventId, row.version);
    answerOrganizer(res, row);
  });

  router.post('/api/events/:id/postpone', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const { eventId } = await managed(req);
    const context = contextOf(req, callerOf(req).id, `postpone ${eventId}`);
    await listings
      .handle(eventId, { type: 'PostponeEvent', at: clock().toISOString(), ...seenBy(req) }, context)
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  /** Changes an upcoming live stream. 409 `no-livestream`, `livestream-begun`, `event-postponed`; 422 by field. */
  router.put('/api/events/:id/livestream', auth.signedIn, async (req: Request<{ id: string }>, res) => {
    const livestream = LivestreamConfig.parse(req.body);
    const { eventId } = await managed(req);
    const context = contextOf(req, callerOf(req).id, `livestream ${eventId}`);
    await listings
      .handle(eventId, { type: 'ChangeLivestream', livestream, at: clock().toISOString() }, context)
      .catch(nameField);
    answerOrganizer(res, await rowOf(eventId));
  });

  /** What canceling the event refunds. Admins must confirm these figures to cancel a past event. */
  router.get('/api/events/:id/cancellation', auth.role('admin'), async (req: Request<{ id: string }>, res) => {
    const row = await rowOf(eventIdOf(req));
    const answer: EventCancellation = {
      ...{ eventId: row.eventId, isOver: isOver(row, clock()) },
      ...(await refundableOf(payments, row)),
    };
    res.set('Cache-Control', 'private, no-store').json(answer);
  });

  /**
   * Cancels the event. The organizer may cancel until the event is over. After that only an admin may cancel, and must
   * confirm the figures from `cancellation`. 409 `event-over`, `confirm-refunds`, `event-canceled`.
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
