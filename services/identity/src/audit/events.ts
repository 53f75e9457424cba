import type { AuditKind } from '@beltway/contracts/identity/audit';

/**
 * Actions of admins. A subject that is settled once (a dead letter) has the stream `audit-<subject>`; all other actions
 * are in `audit-<account>.<day>`. Contains no personal data except the account's id.
 */
export interface AuditEvent {
  type: 'AdminActed';
  data: { accountId: number; kind: AuditKind; subject: string; note: string };
}

export type AuditCommand = { type: 'RecordAction' } & AuditEvent['data'];
