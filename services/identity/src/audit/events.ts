import type { AuditKind } from '@beltway/contracts/identity/audit';

/**
 * What admins did. Stream `audit-<subject>` of what can be settled once (a dead letter), else `audit-<account>.<day>`. Holds no personal
 * data but the account's id.
 */
export interface AuditEvent {
  type: 'AdminActed';
  data: { accountId: number; kind: AuditKind; subject: string; note: string };
}

export type AuditCommand = { type: 'RecordAction' } & AuditEvent['data'];
