import type { Request, Response } from 'express';
import { AuditAnswer, type AuditBody, type AuditKind } from '@beltway/contracts/identity/audit';
import { callerOf } from '@beltway/kit/auth';
import { internalClient } from '@beltway/kit/internal';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';

const TIMEOUT_MS = 5_000;

/**
 * Records an admin's action before it is carried out. Throws 403 when identity reports that the caller is not (or no
 * longer) an admin. Throws 409 when a different decision about a dead letter was recorded before, and 503 while
 * identity is down.
 */
export type Audit = (
  of: { req: Request; res: Response },
  kind: AuditKind,
  subject: string,
  note?: string,
) => Promise<AuditAnswer>;

export function auditBy(config: Config, { identity }: Backends): Audit {
  const client = internalClient(identity, config.INTERNAL_TOKEN, TIMEOUT_MS);
  return async ({ req, res }, kind, subject, note = '') => {
    const body: AuditBody = {
      accountId: callerOf(req).id,
      ...{ kind, subject },
      note: note.slice(0, 300),
      requestId: String(res.locals['requestId']),
    };
    return AuditAnswer.parse(await client.post('/internal/audit', body));
  };
}
