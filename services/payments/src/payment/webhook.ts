import express, { Router } from 'express';
import type { Provider } from '../provider/provider.ts';
import { toldByNotice } from '../provider/told.ts';
import { record, type Recording } from './record.ts';

/**
 * POST /api/stripe/webhook: what the provider tells, signed over the raw bytes, so it must come before any JSON parser.
 * 200 recorded, known before, or none of our business; 400 not signed by the provider just now; 503 tell us again later.
 *
 * The notice's id is the command's id, so it stands in the event log in the very transaction of its effect, under a unique
 * index: a table of its own could say "seen" and be wrong. A notice without effect leaves no trace, and needs none: told
 * again, it has no effect again.
 */
export function webhookRoutes({ provider, ...deps }: Recording & { provider: Provider }): Router {
  const router = Router();
  router.post(
    '/api/stripe/webhook',
    express.raw({ type: () => true, limit: '1mb', inflate: false }),
    async (req, res) => {
      const notice = provider.verify(req.body, req.get('stripe-signature'));
      const told = toldByNotice(notice);
      if (told) {
        const { id } = notice;
        await record(deps, told, {
          commandId: `stripe:${id}`,
          causationId: id,
          ...(told.terms && { correlationId: told.terms.orderId }),
        });
      }
      res.json({ received: true });
    },
  );
  return router;
}
