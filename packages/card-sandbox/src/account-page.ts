import { Router, urlencoded } from 'express';
import type { Pool } from 'pg';
import { changeAccount } from './connect.ts';
import type { LinkHidden, Outcome } from './connect-objects.ts';
import { html, page, pageHeaders, asset } from './dev/page.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { seconds } from './objects.ts';

const OUTCOMES: readonly Outcome[] = ['complete', 'review', 'reject', 'leave'];
const isOutcome = (given: unknown): given is Outcome => OUTCOMES.includes(given as Outcome);

/**
 * The web page that an account link opens, `GET /sandbox/stripe/connect/:link`. There the account's holder chooses an
 * outcome: the set-up is completed, submitted for review, rejected, or abandoned. Then the browser is redirected to the
 * return URL. As with Stripe, a used or expired link redirects to the refresh URL.
 */
export function accountPageRoutes({ pool, ledger }: { pool: Pool; ledger: Ledger }): Router {
  const router = Router();

  async function find(link: string): Promise<LinkHidden | undefined> {
    const { rows } = await pool.query<{ hidden: LinkHidden }>(
      `select hidden from objects where id = $1 and kind = 'account_link'`,
      [link],
    );
    return rows[0]?.hidden;
  }
  const isOver = ({ isUsed, expiresAt }: LinkHidden): boolean => isUsed || expiresAt <= seconds(new Date());

  router.get('/connect/:link', async (req, res) => {
    const link = await find(req.params.link);
    if (link && isOver(link)) return void res.redirect(303, link.refreshUrl);
    pageHeaders(res, "'none'");
    res.status(link ? 200 : 404).type('html');
    res.send(
      page({
        title: 'Account set-up',
        styles: '../connect-assets/app.css',
        script: '../connect-assets/challenge.js',
        narrow: true,
        body: link
          ? html`<p class="bank">Beltway sandbox · Connect</p>
              <h1>Set up payouts</h1>
              <p class="quiet">Stripe would ask for name, address and bank account here. Choose how it ends.</p>
              <form method="post">
                <button name="outcome" value="complete" class="primary">Complete the set-up</button>
                <button name="outcome" value="review">Submit for review</button>
                <button name="outcome" value="reject">Be rejected</button>
                <button name="outcome" value="leave">Leave without finishing</button>
              </form>`
          : html`<h1>Nothing to set up</h1>
              <p>This link is unknown.</p>`,
      }),
    );
  });

  router.post('/connect/:link', urlencoded({ extended: false, limit: '1kb' }), async (req, res) => {
    const { link: id } = req.params;
    const link = await find(id);
    if (!link) return void res.redirect(303, req.originalUrl);
    const outcome: unknown = (req.body as Record<string, unknown> | undefined)?.['outcome'];
    let isTaken = false;
    await ledger.perform({
      touches: [id, link.account],
      requestId: newId('req'),
      now: new Date(),
      async run(tx) {
        const now = (await tx.hidden<LinkHidden>(id)) ?? link;
        isTaken = !isOver(now) && isOutcome(outcome);
        if (!isTaken || !isOutcome(outcome)) return { status: 200, body: null };
        tx.put('account_link', { id }, { hidden: { ...now, isUsed: true } satisfies LinkHidden });
        return changeAccount(tx, link.account, outcome);
      },
    });
    res.redirect(303, isTaken ? link.returnUrl : link.refreshUrl);
  });

  router.get('/connect-assets/challenge.js', (_req, res) => asset(res, 'challenge.js'));
  router.get('/connect-assets/app.css', (_req, res) => asset(res, 'app.css'));
  return router;
}
