import type { Projection } from '@beltway/event-store';
import { auditEntries } from '../generated/tables.ts';
import type { AuditEvent } from './events.ts';

const ADD = auditEntries.insert(['stream', 'version', 'accountId', 'kind', 'subject', 'note', 'at']);

/** `audit_entries`: one row for each action of an admin. */
export const projectAudit: Projection<AuditEvent> = (sql, group) => {
  for (const { type, data, stream, version, occurredAt } of group) {
    switch (type) {
      case 'AdminActed':
        sql.query(ADD.text, ADD.values({ ...data, stream, version, at: occurredAt }));
        break;
    }
  }
};
