import { table } from '@beltway/kit/columns';

export const moderationCases = table('moderation_cases', {
  caseId: 'text',
  kind: 'text',
  contentId: 'text',
  authorId: 'int4?',
  state: 'text',
  standing: 'text',
  openReports: 'int4',
  decisions: 'int4',
  changedAt: 'timestamptz',
});

export const moderationDecisions = table('moderation_decisions', {
  caseId: 'text',
  number: 'int4',
  action: 'text',
  reason: 'text',
  adminId: 'int4',
  at: 'timestamptz',
  until: 'timestamptz?',
  appealedAt: 'timestamptz?',
  outcome: 'text?',
});
