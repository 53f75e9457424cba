import { Router, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { ContactBody, ContactQuery, MarkAnsweredBody } from '@beltway/contracts/identity/contact';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { notFound } from '@beltway/kit/problems';
import type { AccessTokens } from '../session/access-tokens.ts';
import { keepMessage, listMessages, markAnswered } from './messages.ts';

export interface ContactRoutesOptions {
  pool: Pool;
  access: Pick<AccessTokens, 'role'>;
  limits: RequestHandler[];
  /** Whether the team is notified of messages by mail. */
  isMailed: boolean;
  /** Called after a message is stored. */
  onMessage: () => void;
}

/** services/identity/PRODUCT.md#contact */
export function contactRoutes({ pool, access, limits, isMailed, onMessage }: ContactRoutesOptions): Router {
  const router = Router();

  /**
   * 204: the message is stored. 400 with an error for each wrong field, 422 when the `Idempotency-Key` belongs to a
   * different message, 429, 503.
   */
  router.post('/api/contact', ...limits, async (req, res) => {
    const body = ContactBody.parse(req.body);
    await keepMessage(pool, body, { key: idempotencyKeyOf(req), isMailed });
    onMessage();
    res.status(204).end();
  });

  /** 200 a page of messages, newest first; admins only. */
  router.get('/api/contact-messages', access.role('admin'), async (req, res) => {
    const page = await listMessages(pool, ContactQuery.parse(req.query));
    res.setHeader('cache-control', 'no-store').json(page);
  });

  /** 200 the changed message; admins only. */
  router.patch('/api/contact-messages/:messageId', access.role('admin'), async (req, res) => {
    const id = z.uuid().safeParse(req.params['messageId']);
    const { answered } = MarkAnsweredBody.parse(req.body);
    const message = id.success ? await markAnswered(pool, id.data, { answered, adminId: callerOf(req).id }) : undefined;
    if (!message) throw notFound('message');
    res.setHeader('cache-control', 'no-store').json(message);
  });

  return router;
}
