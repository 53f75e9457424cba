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

/** Orders per page when a CSV file is written. */
const CSV_PAGE = 500;
const secret = { 'cache-control': 'private, no-store' };

/** The attendee lists and sales of an organizer's own events. */
export function attendeeRoutes({ pool, auth }: Deps): Router {
  const router = Router();

  const ownEvent = async (req: Request) => {
    const listing = await listingById(pool, IdText.parse(req.params['id']));
    // If the message about an event's cancellation arrived before the message about its publication, the event has no
    // title yet, so there is nothing to show.
    if (!listing || listing.title === '') throw notFound('event');
    if (listing.organizerId !== callerOf(req).id) throw forbidden();
    return listing;
  };

  /**
   * Sales of each of the caller's events, without refunded orders. `revenue` includes the platform's fee; `share` is
   * without the fee.
   */
  router.get('/api/tickets/sales', auth.signedIn, async (req, res) => {
    res.set(secret).json(await salesOfOrganizer(pool, callerOf(req).id));
  });

  /** A part of the list of orders that got tickets. Only for the event's organizer; 403 for others. */
  router.get('/api/events/:id/attendees', auth.signedIn, async (req, res) => {
    const event = await ownEvent(req);
    res.set(secret).json(await attendeesOf(pool, event, AttendeeQuery.parse(req.query)));
  });

  /** The whole attendee list as a CSV file. */
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
