import { Router } from 'express';
import { z } from 'zod';
import { AuditBody, AuditQuery } from '@beltway/contracts/identity/audit';
import type { TimelineOf } from '@beltway/contracts/ops/timelines';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import type { AccessTokens } from '../session/access-tokens.ts';
import { auditOf, auditPage } from './queries.ts';
import { recordAction, type RecordDeps } from './record.ts';

const MAX_STEPS = 200;

/** What admins do on the page /ops: recorded before it is done, and never changed (docs/operations/ops-page.md). */
export function auditRoutes({
  pool,
  audit,
  access,
  internalToken,
  clock,
}: RecordDeps & {
  access: Pick<AccessTokens, 'role'>;
  internalToken: Secrets;
}): Router {
  const router = Router();

  /** 200 a page, newest first; admins only. */
  router.get('/api/ops/audit', access.role('admin'), async (req, res) => {
    res.setHeader('cache-control', 'no-store').json(await auditPage(pool, AuditQuery.parse(req.query)));
  });

  /**
   * 200 AuditAnswer: it is recorded, and may be done. 403 for an account that is no admin at this moment, whatever its token says. 409
   * `already-replayed` or `already-discarded` for a dead letter that was settled otherwise.
   */
  router.post('/internal/audit', internalOnly(internalToken), async (req, res) => {
    res.json(await recordAction({ pool, audit, clock }, AuditBody.parse(req.body)));
  });

  /** 200 TimelineOf: what admins did with this order or payment. */
  router.get('/internal/ops/timelines/:id', internalOnly(internalToken), async (req, res) => {
    const subject = z.uuid().parse(req.params['id']).toLowerCase();
    const entries = await auditOf(pool, subject, MAX_STEPS + 1);
    const steps = entries.slice(0, MAX_STEPS).map(({ at, accountId, name, kind }) => ({
      at,
      type: 'AdminActed',
      text: `${name ?? 'An admin'} (account ${accountId}) ${kind === 'timeline-looked-at' ? 'looked at this timeline' : 'acted on this'}.`,
    }));
    res.json({ known: entries.length > 0, steps, isCut: entries.length > MAX_STEPS } satisfies TimelineOf);
  });

  return router;
}
