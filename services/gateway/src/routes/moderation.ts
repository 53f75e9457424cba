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

/** Reports about content, and admins' decisions about the reported content. */
export const moderation: Route[] = answeredBy('identity', [
  {
    method: 'post',
    path: '/api/reports',
    summary:
      'Report content, an event, an account or an ad to its moderators; counts once per account until an edit or an admin’s decision',
    access: 'signed in',
    body: ReportContentBody,
    status: 204,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/moderation',
    summary: 'List the moderation queue, last changed first; open cases unless `state` says otherwise',
    access: 'admin',
    query: ModerationQuery.shape,
    answer: ModerationPage,
  },
  {
    method: 'get',
    path: '/api/moderation/mine',
    summary: 'List the cases with admins’ decisions on the caller’s own content or account, last changed first',
    access: 'signed in',
    query: OwnCasesQuery.shape,
    answer: OwnCases,
  },
  {
    method: 'get',
    path: '/api/moderation/{caseId}',
    summary: 'Get a moderation case by its ID: `<kind>.<content ID>`, such as `comment.17` or `message.region.12`',
    access: 'admin',
    answer: ModerationCase,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/actions',
    summary: 'Decide a case: keep, hide, restore or remove the content, or warn, suspend or reinstate its author',
    access: 'admin',
    body: ActOnCaseBody,
    answer: ModerationCase,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/appeal',
    summary:
      'Appeal the last decision, once within 30 days, as the author: signed in, or with the token from the emailed link',
    access: 'optional',
    body: AppealBody,
    status: 204,
    problems: [401, 404, 409],
  },
  {
    method: 'post',
    path: '/api/moderation/{caseId}/appeal/decision',
    summary: 'Uphold or reverse an appealed decision; not by the admin who made it, unless there is no other admin',
    access: 'admin',
    body: DecideAppealBody,
    answer: ModerationCase,
    problems: [404, 409],
  },
]);
