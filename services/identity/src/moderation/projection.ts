import type { Projection } from '@beltway/event-store';
import { moderationCases as cases, moderationDecisions as decisions } from './columns.ts';
import { standingAfter } from './decider.ts';
import type { CaseEvent } from './events.ts';

const REPORTED = `insert into moderation_cases as c
    (case_id, kind, content_id, author_id, state, standing, open_reports, decisions, changed_at)
  values ($1, $2, $3, $4, 'open', 'shown', 1, 0, $5)
  on conflict (case_id) do update set open_reports = c.open_reports + 1, changed_at = excluded.changed_at, author_id = excluded.author_id,
    state = case c.state when 'appealed' then 'appealed' else 'open' end`;
const SETTLED = cases.update('caseId', ['state', 'openReports', 'decisions', 'changedAt']);
const STANDS = cases.update('caseId', ['standing']);
const APPEALED = cases.update('caseId', ['state', 'changedAt']);
const ADD = decisions.insert(['caseId', 'number', 'action', 'reason', 'adminId', 'at', 'until']);
/** Reports that came in since wait for their own decision. */
const APPEAL_DONE = `update moderation_cases set decisions = $2, changed_at = $3, standing = coalesce($4, standing),
  state = case when open_reports > 0 then 'open' else 'acted' end where case_id = $1`;

/** `moderation_cases`: the queue; `moderation_decisions`: what was decided. */
export const projectCases: Projection<CaseEvent> = (sql, group) => {
  for (const { type, data, id: caseId, occurredAt: changedAt } of group) {
    switch (type) {
      case 'ContentReported':
        sql.query(REPORTED, [caseId, data.kind, data.contentId, data.authorId, changedAt]);
        break;
      case 'CaseActed': {
        const { number, action, reason, adminId, at, until } = data;
        sql.query(
          SETTLED.text,
          SETTLED.values({ caseId, state: 'acted', openReports: 0, decisions: number, changedAt }),
        );
        const isMoved = action === 'hide' || action === 'remove' || action === 'restore';
        if (isMoved) sql.query(STANDS.text, STANDS.values({ caseId, standing: standingAfter('shown', action) }));
        sql.query(ADD.text, ADD.values({ caseId, number, action, reason, adminId, at, until }));
        break;
      }
      case 'DecisionAppealed':
        sql.query(APPEALED.text, APPEALED.values({ caseId, state: 'appealed', changedAt }));
        sql.query('update moderation_decisions set appealed_at = $3 where case_id = $1 and number = $2', [
          ...[caseId, data.decision, data.at],
        ]);
        break;
      case 'AppealDecided': {
        const isBack = data.outcome === 'reversed' && data.action === 'hide';
        sql.query(APPEAL_DONE, [caseId, data.number, changedAt, isBack ? 'shown' : null]);
        sql.query('update moderation_decisions set outcome = $3 where case_id = $1 and number = $2', [
          ...[caseId, data.decision, data.outcome],
        ]);
        break;
      }
    }
  }
};
