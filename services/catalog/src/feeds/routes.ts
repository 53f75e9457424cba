import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { EmbedQuery, FeedQuery, IN_EMBED, MOST_RESULTS } from '@beltway/contracts/catalog/search';
import { pathId } from '@beltway/kit/path-id';
import { asProblem, notFound } from '@beltway/kit/problems';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import { listingById } from '../event/queries.ts';
import { searchOnce, type SearchDeps } from '../search/search.ts';
import { calendarOf, calendarOfEvent } from './calendar.ts';
import { embedOf, refusalOf } from './embed.ts';
import { rssOf } from './rss.ts';
import { feedName } from './shown.ts';

export interface FeedRoutesDeps {
  pool: Pool;
  searching: Pick<SearchDeps, 'pool'>;
  /** A separate pool, because feeds read many events and must not block searches. */
  feedPool: Pool;
  clock: () => Date;
  /** The public URL of the website, for links. */
  publicUrl: string;
}

const send = (res: Response, tag: string, type: string, text: string) =>
  sharedAnswer(res, tag).type(`${type}; charset=utf-8`).send(text);

/**
 * Searches as feeds and as a list on other sites, and events as calendar files (services/catalog/PRODUCT.md#feeds). A
 * refusal names the wrong parameter, as in a search.
 */
export function feedRoutes({ pool, searching, feedPool, clock, publicUrl }: FeedRoutesDeps): Router {
  const router = Router();
  const read = async (req: Request) => {
    const query = FeedQuery.parse(req.query);
    const rows = await searchOnce({ pool: feedPool }, query, clock(), {
      most: query.limit ?? MOST_RESULTS,
      withCanceled: true,
    });
    return { rows, name: feedName(query) };
  };

  router.get('/api/events.ics', async (req, res) => {
    const { rows, name } = await read(req);
    send(res, 'events', 'text/calendar', await calendarOf(rows, name, publicUrl));
  });

  router.get('/api/events.rss', async (req, res) => {
    const { rows, name } = await read(req);
    const selfUrl = new URL(req.originalUrl, publicUrl).href;
    send(res, 'events', 'application/rss+xml', rssOf(rows, { name, publicUrl, selfUrl }));
  });

  router.get('/api/events/:id.ics', async (req, res) => {
    const row = await listingById(pool, pathId(req, 'id', 'event'));
    if (!row) throw notFound('event');
    res.set('content-disposition', 'attachment; filename="event.ics"');
    send(res, `event-${row.eventId}`, 'text/calendar', await calendarOfEvent(row, publicUrl));
  });

  /** Refusals are HTML, too, because a browser shows them in a frame on another site. */
  router.get('/embed', async (req, res) => {
    try {
      const { theme = 'auto', ...query } = EmbedQuery.parse(req.query);
      const now = clock();
      const rows = await searchOnce(searching, query, now, { most: query.limit ?? IN_EMBED, withCanceled: false });
      send(res, 'events', 'text/html', embedOf(rows, { query, theme, now, publicUrl }));
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) throw error;
      res.status(problem.status).set('Cache-Control', 'no-store').type('text/html; charset=utf-8');
      res.send(refusalOf(problem.message, publicUrl));
    }
  });

  return router;
}
