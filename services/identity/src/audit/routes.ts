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

/**
 * The log of admins' actions on the page /ops. Actions are recorded before they are carried out, and entries never
 * change (docs/operations/ops-page.md).
 */
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
   * 200 AuditAnswer: the action is recorded and may be carried out. 403 for an account that is no longer an admin, even
   * if its token still has the role. 409 `already-replayed` or `already-discarded` for a dead letter that the opposite
   * action settled.
   */
  router.post('/internal/audit', internalOnly(internalToken), async (req, res) => {
    res.json(await recordAction({ pool, audit, clock }, AuditBody.parse(req.body)));
  });

  /** 200 TimelineOf: admins' actions on this order or payment. */
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
