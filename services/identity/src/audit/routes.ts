import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { AuditBody, AuditQuery, SETTLING, type AuditAnswer, type SettlingKind } from '@beltway/contracts/audit';
import type { TimelineOf } from '@beltway/contracts/timelines';
import type { Streams } from '@beltway/event-store';
import { internalOnly } from '@beltway/kit/internal';
import { forbidden } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { AuditState } from './decider.ts';
import type { AuditCommand, AuditEvent } from './events.ts';
import { auditOf, auditPage, settledAt } from './queries.ts';

const MAX_STEPS = 200;

/** What admins do on the page /ops: recorded before it is done, and never changed (docs/operations/ops-page.md). */
export function auditRoutes({
  pool,
  audit,
  access,
  internalToken,
  clock,
}: {
  pool: Pool;
  audit: Streams<AuditState, AuditCommand, AuditEvent>;
  access: Pick<AccessTokens, 'role'>;
  internalToken: Secrets;
  clock: () => Date;
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
    const { requestId, ...action } = AuditBody.parse(req.body);
    const { rows } = await pool.query<{ role: string }>('select role from users where id = $1', [action.accountId]);
    if (rows[0]?.role !== 'admin') throw forbidden('Your account may not do this.');
    const settling = (SETTLING as readonly string[]).includes(action.kind);
    const now = clock();
    const { events } = await audit.handle(
      settling ? action.subject : `${action.accountId}.${now.toISOString().slice(0, 10)}`,
      { type: 'RecordAction', ...action },
      {
        commandId: randomUUID(),
        userId: action.accountId,
        ...(requestId !== undefined && { correlationId: requestId }),
      },
    );
    const first = events.length > 0;
    const at = first ? now : await settledAt(pool, action.subject, action.kind as SettlingKind);
    res.json({ at: (at ?? now).toISOString(), first } satisfies AuditAnswer);
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
