import { Router, type Request } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { AttendeeQuery } from '@beltway/contracts/ticketing/tickets';
import { callerOf } from '@beltway/kit/auth';
import { forbidden, notFound } from '@beltway/kit/problems';
import { sendCsv } from '../csv.ts';
import type { Deps } from '../deps.ts';
import { listingById } from '../listing/listings.ts';
import { ATTENDEE_COLUMNS } from './columns.ts';
import { attendeesOf, salesOfOrganizer } from './queries.ts';

/** Orders that are read and written to a file at a time. */
const CSV_PAGE = 500;
const secret = { 'cache-control': 'private, no-store' };

/** What an organizer sees of the own events. */
export function attendeeRoutes({ pool, auth }: Deps): Router {
  const router = Router();

  const ownEvent = async (req: Request) => {
    const listing = await listingById(pool, IdText.parse(req.params['id']));
    // Canceled before it was heard of, it has no title: there is nothing to see yet.
    if (!listing || listing.title === '') throw notFound('event');
    if (listing.organizerId !== callerOf(req).id) throw forbidden();
    return listing;
  };

  /**
   * What each of the caller's events has sold: refunded orders are out, the platform's fee is in `revenue` and out of
   * `share`.
   */
  router.get('/api/tickets/sales', auth.signedIn, async (req, res) => {
    res.set(secret).json(await salesOfOrganizer(pool, callerOf(req).id));
  });

  /** Who comes: a page of orders that got tickets, for the event's organizer. 403 for anybody else. */
  router.get('/api/events/:id/attendees', auth.signedIn, async (req, res) => {
    const event = await ownEvent(req);
    res.set(secret).json(await attendeesOf(pool, event, AttendeeQuery.parse(req.query)));
  });

  /** The same, all of it, as a CSV file. */
  router.get('/api/events/:id/attendees.csv', auth.signedIn, async (req, res) => {
    const event = await ownEvent(req);
    await sendCsv(res, {
      name: `attendees-${event.eventId}.csv`,
      columns: ATTENDEE_COLUMNS,
      async read(after) {
        const { attendees, next } = await attendeesOf(pool, event, { limit: CSV_PAGE, after });
        return { rows: attendees, next };
      },
    });
  });

  return router;
}
