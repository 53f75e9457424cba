import { Router, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import {
  NotificationChoices,
  NotificationsQuery,
  PushEndpointBody,
  PushRenewalBody,
  PushSubscriptionBody,
  ReadAllBody,
  UnsubscribeQuery,
  type PushSubscriptions,
  type Unread,
} from '@beltway/contracts/realtime/notifications';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { languageOf } from '@beltway/kit/language';
import type { Secrets } from '@beltway/kit/secrets';
import { HttpProblem } from '@beltway/kit/problems';
import { choose, preferencesOf, unsubscribe } from './preferences.ts';
import type { PushSender } from './push-sender.ts';
import { endpointsOf, renew, subscribe, unsubscribeDevice } from './push-subscriptions.ts';
import { markAllRead, markRead, notificationsOf, placeOf, unreadOf } from './queries.ts';

export interface NotificationRoutesDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  internalToken: Secrets;
  /** Undefined if this server sends no pushes. */
  push: Pick<PushSender, 'publicKey'> | undefined;
  /** Updates the other open pages of the account. */
  tell: (userIds: readonly number[]) => void;
}

/** The caller's own notifications (services/realtime/PRODUCT.md#notifications). */
export function notificationRoutes({ pool, auth, internalToken, push, tell }: NotificationRoutesDeps): Router {
  const router = Router();
  const unread = async (res: Response, userId: number) =>
    void res.json({ unread: await unreadOf(pool, userId) } satisfies Unread);
  const own = (res: Response) => res.set('Cache-Control', 'private, no-store');

  // Texts are in the language of `Accept-Language`, which the frontend sets to its own language.
  router.get('/api/me/notifications', auth.signedIn, async (req, res) => {
    const { cursor, limit } = NotificationsQuery.parse(req.query);
    const after = cursor === undefined ? undefined : placeOf(cursor);
    own(res).json(await notificationsOf(pool, callerOf(req).id, { after, limit, language: languageOf(req) ?? 'en' }));
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

  router.get('/api/me/notification-preferences', auth.signedIn, async (req, res) => {
    own(res).json(await preferencesOf(pool, callerOf(req).id));
  });

  router.patch('/api/me/notification-preferences', auth.signedIn, async (req, res) => {
    own(res).json(await choose(pool, callerOf(req).id, NotificationChoices.parse(req.body)));
  });

  router.get('/api/me/push-subscriptions', auth.signedIn, async (req, res) => {
    const endpoints = await endpointsOf(pool, callerOf(req).id);
    own(res).json({ publicKey: push?.publicKey ?? null, endpoints } satisfies PushSubscriptions);
  });

  router.put('/api/me/push-subscriptions', auth.signedIn, async (req, res) => {
    const subscription = PushSubscriptionBody.parse(req.body);
    if (!push) throw new HttpProblem(409, 'push-is-off');
    await subscribe(pool, callerOf(req), subscription);
    own(res).status(204).end();
  });

  router.delete('/api/me/push-subscriptions', auth.signedIn, async (req, res) => {
    await unsubscribeDevice(pool, callerOf(req).id, PushEndpointBody.parse(req.body).endpoint);
    own(res).status(204).end();
  });

  // A service worker calls this route and has no token, so the secret of the old subscription authorizes the call.
  router.post('/api/push-subscriptions/renew', async (req, res) => {
    await renew(pool, PushRenewalBody.parse(req.body));
    own(res).status(204).end();
  });

  // Uses only the token in the link. A mail program posts a form; the page that the link opens posts an empty body.
  router.post('/api/notifications/unsubscribe', async (req, res) => {
    await unsubscribe(pool, internalToken, UnsubscribeQuery.parse(req.query).token);
    own(res).status(204).end();
  });

  return router;
}
