import type { ReadModel } from '@beltway/event-store';
import { projectAudit } from './audit/projection.ts';
import { projectCases } from './moderation/projection.ts';
import { projectRevokedSessions } from './session/projection.ts';
import { projectUsers } from './user/projection.ts';

export const readModels: ReadModel[] = [
  { category: 'user', projections: [projectUsers], tables: ['users', 'erased_users'] },
  { category: 'session', projections: [projectRevokedSessions], tables: ['revoked_sessions'] },
  { category: 'case', projections: [projectCases], tables: ['moderation_cases', 'moderation_decisions'] },
  { category: 'audit', projections: [projectAudit], tables: ['audit_entries'] },
];
