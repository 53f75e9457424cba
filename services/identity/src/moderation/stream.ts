import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { moderationCase, type CaseState } from './decider.ts';
import type { CaseCommand, CaseEvent } from './events.ts';
import { projectCases } from './projection.ts';

export type CaseStreams = Streams<CaseState, CaseCommand, CaseEvent>;

/** The moderation cases of this service's store. */
export const openCaseStreams = (store: Store): CaseStreams =>
  streams(store, { category: 'case', decider: moderationCase, projections: [projectCases] });

/** What `npm run rebuild` truncates and replays. */
export const caseReadModel: ReadModel = {
  category: 'case',
  projections: [projectCases] as ReadModel['projections'],
  tables: ['moderation_cases', 'moderation_decisions'],
};
