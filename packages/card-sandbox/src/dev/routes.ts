import { Router, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { HttpProblem } from '@beltway/kit/problems';
import { sameOriginOnly, thisMachineOnly } from '@beltway/kit/this-machine';
import { z } from 'zod';
import type { Answer } from '../decide.ts';
import { closeDispute, disputeIntent, escalateInquiry, foundDispute, reverseLoss } from '../disputes.ts';
import { StripeError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { createRefund, failRefund } from '../refunds.ts';
import { changeAccount, settlePayout } from '../connect.ts';
import type { Tx } from '../tx.ts';
import { ApiSettings, WebhookSettings } from '../settings.ts';
import type { Webhooks } from '../webhooks.ts';
import { asset, page, pageHeaders } from './page.ts';
import { deliverAll, deliverNow, readState } from './state.ts';
import { devView } from './view.ts';

export interface DevOptions {
  pool: Pool;
  ledger: Ledger;
  hooks: Webhooks;
  webhookUrl: string;
}

/**
 * Requires a JSON body. A script of another site must send a CORS preflight before a JSON body, and no route grants the
 * preflight. This protects browsers that are too old to send `Sec-Fetch-Site` and `Origin`.
 */
const jsonOnly: RequestHandler = (req, _res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD' && !req.is('application/json'))
    throw new HttpProblem(415, 'json-only');
  next();
};

/** `/dev/payments`: the page, and its data as JSON for tests and chaos runs. */
export function devRoutes({ pool, ledger, hooks, webhookUrl }: DevOptions): Router {
  const router = Router();
  router.use(thisMachineOnly, sameOriginOnly, jsonOnly);

  router.get('/', async (_req, res) => {
    pageHeaders(res, "'none'");
    const state = await readState(pool, ledger.settings());
    res.type('html').send(
      page({
        title: 'Payments',
        body: devView(state, webhookUrl),
        styles: '/dev/payments/app.css',
        script: '/dev/payments/app.js',
      }),
    );
  });
  router.get('/app.js', (_req, res) => asset(res, 'app.js'));
  router.get('/app.css', (_req, res) => asset(res, 'app.css'));

  router.get('/state', async (req, res) => {
    const limit = Math.min(Math.max(Number(req.query['limit'] ?? 20) || 20, 1), 500);
    res.set('cache-control', 'no-store').json(await readState(pool, ledger.settings(), limit));
  });
  router.put('/webhooks', async (req, res) => {
    await ledger.configure({ webhooks: WebhookSettings.parse(req.body) });
    res.json(ledger.settings().webhooks);
  });
  router.put('/api', async (req, res) => {
    await ledger.configure({ api: ApiSettings.parse(req.body) });
    res.json(ledger.settings().api);
  });
  // Actions of Stripe's dashboard and of banks. Stripe's API has no call for the actions of banks.
  const act = async (touches: string, run: (tx: Tx) => Promise<Answer> | Answer) => {
    try {
      return (await ledger.perform({ touches: [touches], requestId: newId('req'), now: new Date(), run })).body;
    } catch (error) {
      if (error instanceof StripeError)
        throw HttpProblem.received(error.status, { code: error.body.code ?? 'refused', detail: error.message });
      throw error;
    }
  };
  router.post('/intents/:id/refund', async (req, res) => {
    const { amount } = z.strictObject({ amount: z.int().positive().optional() }).parse(req.body ?? {});
    const params = {
      ...{ intent: req.params.id, charge: undefined, amount, reason: null, metadata: {} },
      ...{ reverseTransfer: false, refundFee: false },
    };
    res.json(await act(req.params.id, (tx) => createRefund(tx, params)));
  });
  router.post('/intents/:id/dispute', async (req, res) => {
    const disputed = z
      .strictObject({ amount: z.int().positive().max(99_999_999).optional(), isInquiry: z.boolean().optional() })
      .parse(req.body ?? {});
    res.json(await act(req.params.id, (tx) => disputeIntent(tx, req.params.id, disputed)));
  });
  router.post('/disputes/:id/escalate', async (req, res) => {
    res.json(await act(req.params.id, async (tx) => escalateInquiry(tx, await foundDispute(tx, req.params.id))));
  });
  router.post('/disputes/:id/reverse', async (req, res) => {
    res.json(await act(req.params.id, async (tx) => reverseLoss(tx, await foundDispute(tx, req.params.id))));
  });
  router.post('/refunds/:id/fail', async (req, res) => {
    res.json(await act(req.params.id, (tx) => failRefund(tx, req.params.id)));
  });
  router.post('/disputes/:id/close', async (req, res) => {
    const { outcome } = z.strictObject({ outcome: z.enum(['won', 'lost']) }).parse(req.body);
    res.json(await act(req.params.id, async (tx) => closeDispute(tx, await foundDispute(tx, req.params.id), outcome)));
  });
  router.post('/accounts/:id', async (req, res) => {
    const { outcome } = z
      .strictObject({ outcome: z.enum(['complete', 'review', 'reject', 'restrict']) })
      .parse(req.body);
    res.json(await act(req.params.id, (tx) => changeAccount(tx, req.params.id, outcome)));
  });
  router.post('/payouts/:id', async (req, res) => {
    const { outcome } = z.strictObject({ outcome: z.enum(['paid', 'failed']) }).parse(req.body);
    const { rows } = await pool.query<{ parent: string }>(`select parent from objects where id = $1`, [req.params.id]);
    const account = rows[0]?.parent ?? '';
    res.json(await act(req.params.id, (tx) => settlePayout(tx, req.params.id, outcome, account)));
  });
  router.post('/events/:id/deliver', async (req, res) => {
    if (!(await deliverNow(pool, req.params.id))) throw new HttpProblem(404, 'no-such-event.here');
    hooks.wake();
    res.status(202).json({ delivering: 1 });
  });
  router.post('/deliver-all', async (_req, res) => {
    const delivering = await deliverAll(pool);
    hooks.wake();
    res.status(202).json({ delivering });
  });
  return router;
}
