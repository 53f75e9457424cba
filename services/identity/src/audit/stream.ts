import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { audit, type AuditState } from './decider.ts';
import type { AuditCommand, AuditEvent } from './events.ts';
import { projectAudit } from './projection.ts';

export type Audits = Streams<AuditState, AuditCommand, AuditEvent>;

/** The admins' actions, with a stream for each subject. */
export const openAudits = (store: Store): Audits =>
  streams(store, { category: 'audit', decider: audit, projections: [projectAudit] });

/** What `npm run rebuild` truncates and replays. */
export const auditReadModel: ReadModel = {
  category: 'audit',
  projections: [projectAudit] as ReadModel['projections'],
  tables: ['audit_entries'],
};
