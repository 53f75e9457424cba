import { Router, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common';
import { NotificationsQuery, ReadAllBody, type Unread } from '@beltway/contracts/notifications';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { markAllRead, markRead, notificationsOf, placeOf, unreadOf } from './queries.ts';

export interface NotificationRoutesDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  /** Their other pages show it too. */
  tell: (userIds: readonly number[]) => void;
}

/** One's own notifications (docs/product.md#notifications). */
export function notificationRoutes({ pool, auth, tell }: NotificationRoutesDeps): Router {
  const router = Router();
  const unread = async (res: Response, userId: number) =>
    void res.json({ unread: await unreadOf(pool, userId) } satisfies Unread);
  const own = (res: Response) => res.set('Cache-Control', 'private, no-store');

  router.get('/api/me/notifications', auth.signedIn, async (req, res) => {
    const { cursor, limit } = NotificationsQuery.parse(req.query);
    const after = cursor === undefined ? undefined : placeOf(cursor);
    own(res).json(await notificationsOf(pool, callerOf(req).id, { after, limit }));
  });

  router.get('/api/me/notifications/unread', auth.signedIn, async (req, res) => {
    await unread(own(res), callerOf(req).id);
  });

  router.post('/api/me/notifications/read', auth.signedIn, async (req, res) => {
    const { id } = callerOf(req);
    await markAllRead(pool, id, new Date(ReadAllBody.parse(req.body).until));
    tell([id]);
    await unread(own(res), id);
  });

  router.put('/api/me/notifications/:notificationId/read', auth.signedIn, async (req, res) => {
    const { id } = callerOf(req);
    await markRead(pool, id, IdText.parse(req.params['notificationId']));
    tell([id]);
    await unread(own(res), id);
  });

  return router;
}
