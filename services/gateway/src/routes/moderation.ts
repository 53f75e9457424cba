import {
  ActOnCaseBody,
  AppealBody,
  DecideAppealBody,
  ModerationCase,
  ModerationPage,
  ModerationQuery,
  OwnCases,
  OwnCasesQuery,
  ReportContentBody,
} from '@beltway/contracts/identity/moderation';
import { answeredBy, type Route } from './route.ts';

/** What people report, and what admins decide of it. */
export const moderation: Route[] = answeredBy('identity', [
  {
    method: 'post',
    path: '/api/reports',
    summary: 'Report something to whoever moderates it, once for each account',
    access: 'signed in',
    body: ReportContentBody,
    status: 204,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/moderation',
    summary: 'The queue of what was reported; what changed last comes first',
    access: 'admin',
    query: ModerationQuery.shape,
    answer: ModerationPage,
  },
  {
    method: 'get',
    path: '/api/moderation/mine',
    summary: 'What admins decided of the caller’s own',
    access: 'signed in',
    query: OwnCasesQuery.shape,
    answer: OwnCases,
  },
  {
    method: 'get',
    path: '/api/moderation/{caseId}',
    summary: 'A case: `<kind>.<number>`',
    access: 'admin',
    answer: ModerationCase,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/actions',
    summary: 'Keep, hide, restore or remove it; warn, suspend or reinstate its author',
    access: 'admin',
    body: ActOnCaseBody,
    answer: ModerationCase,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/appeal',
    summary:
      'Ask for another look at the last decision, as the author: signed in, or with the token of the mail’s link',
    access: 'optional',
    body: AppealBody,
    status: 204,
    problems: [401, 404, 409],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/appeal/decision',
    summary: 'Uphold or reverse the decision that was appealed, as another admin',
    access: 'admin',
    body: DecideAppealBody,
    answer: ModerationCase,
    problems: [404, 409],
  },
]);
