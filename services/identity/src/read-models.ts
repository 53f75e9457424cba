import type { ReadModel } from '@beltway/event-store';
import { CHALLENGE_TABLES, projectChallenges } from './engagement/challenge-projection.ts';
import { ENGAGEMENT_TABLES, projectEngagement } from './engagement/projection.ts';
import { projectAudit } from './audit/projection.ts';
import { projectCases } from './moderation/projection.ts';
import { projectRevokedSessions } from './session/projection.ts';
import { projectTotp } from './totp/projection.ts';
import { projectUsers } from './user/projection.ts';

export const readModels: ReadModel[] = [
  { category: 'user', projections: [projectUsers], tables: ['users', 'erased_users', 'referrals'] },
  // After the accounts: what was erased is not made again.
  { category: 'totp', projections: [projectTotp], tables: ['totp_factors'] },
  { category: 'session', projections: [projectRevokedSessions], tables: ['revoked_sessions'] },
  { category: 'case', projections: [projectCases], tables: ['moderation_cases', 'moderation_decisions'] },
  { category: 'audit', projections: [projectAudit], tables: ['audit_entries'] },
  { category: 'engagement', projections: [projectEngagement], tables: ENGAGEMENT_TABLES },
  { category: 'challenge', projections: [projectChallenges], tables: CHALLENGE_TABLES },
];
