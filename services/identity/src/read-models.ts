import type { ReadModel } from '@beltway/event-store';
import { projectRevokedSessions } from './session/projection.ts';
import { projectUsers } from './user/projection.ts';

export const readModels: ReadModel[] = [
  { category: 'user', projections: [projectUsers], tables: ['users'] },
  { category: 'session', projections: [projectRevokedSessions], tables: ['revoked_sessions'] },
];
