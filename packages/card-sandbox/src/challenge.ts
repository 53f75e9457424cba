import { Router, urlencoded, type Response } from 'express';
import type { Pool } from 'pg';
import { answerChallenge } from './confirm.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import type { Intent, IntentHidden } from './objects.ts';
import { asset, html, page, pageHeaders, price, type Html } from './dev/page.ts';

export interface ChallengeOptions {
  pool: Pool;
  ledger: Ledger;
}

interface Challenge {
  intent: Intent;
  hidden: IntentHidden | null;
}

/**
 * The bank's 3-D Secure web page: `GET /sandbox/stripe/3ds/:source`. The form on this web page posts the card holder's
 * answer. In a frame on our site, a script then sends a message to the parent window. In a separate tab, the browser is
 * then redirected to the return URL. The only credential is the source id, which is random and valid for one challenge.
 */
export function challengeRoutes({ pool, ledger }: ChallengeOptions): Router {
  const router = Router();

  async function find(source: string): Promise<Challenge | undefined> {
    const { rows } = await pool.query<Challenge>(
      `select i.body as intent, i.hidden from objects c join objects i on i.id = c.parent where c.id = $1 and c.kind = 'challenge'`,
      [source],
    );
    return rows[0];
  }

  router.get('/3ds/:source', async (req, res) => {
    const found = await find(req.params.source);
    if (!found) return gone(res, 404);
    const open = found.intent.status === 'requires_action' && found.hidden?.source === req.params.source;
    framed(res).send(challengePage(found.intent, open));
  });

  router.post('/3ds/:source', urlencoded({ extended: false, limit: '1kb' }), async (req, res) => {
    const { source } = req.params;
    const found = await find(source);
    if (!found) return gone(res, 404);
    const passed = (req.body as Record<string, unknown> | undefined)?.['outcome'] === 'complete';
    let after: { intent: Intent; returnUrl: string | null } = { intent: found.intent, returnUrl: null };
    await ledger.perform({
      touches: [found.intent.id, ...(found.intent.payment_method ? [found.intent.payment_method] : [])],
      requestId: newId('req'),
      now: new Date(),
      async run(tx) {
        after = await answerChallenge(tx, found.intent.id, source, passed);
        return { status: 200, body: null };
      },
    });
    const status = after.intent.status === 'succeeded' ? 'succeeded' : 'failed';
    if (req.get('accept')?.includes('application/json')) return void res.json({ source, status });
    const back = after.returnUrl && returnAddress(after.returnUrl, after.intent, status);
    if (back) return void res.redirect(303, back);
    framed(res).send(challengePage(after.intent, false));
  });

  router.get('/3ds-assets/challenge.js', (_req, res) => asset(res, 'challenge.js'));
  router.get('/3ds-assets/app.css', (_req, res) => asset(res, 'app.css'));
  return router;
}

/** The return URL with the three query parameters that Stripe adds. undefined if the URL is not http or https. */
function returnAddress(returnUrl: string, intent: Intent, status: string): string | undefined {
  if (!URL.canParse(returnUrl)) return undefined;
  const url = new URL(returnUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.client_secret);
  url.searchParams.set('redirect_status', status);
  return url.href;
}

/** Allows only our own site to show the page in a frame. */
function framed(res: Response): Response {
  pageHeaders(res, "'self'");
  return res.type('html');
}

function gone(res: Response, status: number): void {
  framed(res.status(status)).send(
    shell(
      html`<h1>Nothing to confirm</h1>
        <p>This request is unknown or was answered long ago.</p>`,
    ),
  );
}

const shell = (body: Html): string =>
  page({
    title: '3-D Secure test',
    body,
    styles: '../3ds-assets/app.css',
    script: '../3ds-assets/challenge.js',
    narrow: true,
  });

const challengePage = (intent: Intent, open: boolean): string =>
  shell(
    open
      ? html`<p class="bank">Test bank · 3-D Secure</p>
          <h1>Is this you?</h1>
          <p>
            Beltway asks for
            <strong>${price(intent.amount, intent.currency)}</strong
            >${intent.description ? html` for ${intent.description}` : ''}.
          </p>
          <p class="quiet">A real bank would ask for a code here. No money moves.</p>
          <form method="post" data-challenge>
            <button name="outcome" value="complete" class="primary">Complete</button>
            <button name="outcome" value="fail">Fail</button>
          </form>`
      : html`<p class="bank">Test bank · 3-D Secure</p>
          <h1 data-settled="${intent.status === 'succeeded' ? 'succeeded' : 'failed'}">
            ${intent.status === 'succeeded' ? 'Confirmed' : 'Not confirmed'}
          </h1>
          <p>You can go back to the shop.</p>`,
  );
