import type { Projection } from '@beltway/event-store';
import type { RowOf } from '@beltway/kit/columns';
import { excluded, type Of } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { statement } from '../db.ts';
import { moderationCases as cases, moderationDecisions as decisions } from '../generated/tables.ts';
import { standingAfter } from './decider.ts';
import type { CaseEvent } from './events.ts';

const REPORTED = statement(
  (db, of: Of<Pick<RowOf<typeof cases>, 'caseId' | 'kind' | 'contentId' | 'authorId' | 'changedAt'>>) =>
    db
      .insertInto('moderationCases')
      .values({
        ...{ caseId: of('caseId'), kind: of('kind'), contentId: of('contentId'), authorId: of('authorId') },
        ...{ state: 'open', standing: 'shown', openReports: 1, decisions: 0, changedAt: of('changedAt') },
      })
      .onConflict((conflict) =>
        conflict.column('caseId').doUpdateSet((eb) => ({
          ...excluded(eb, ['changedAt', 'authorId']),
          openReports: eb('moderationCases.openReports', '+', 1),
          state: sql<string>`case moderation_cases.state when 'appealed' then 'appealed' else 'open' end`,
        })),
      ),
);
const SETTLED = cases.update('caseId', ['state', 'openReports', 'decisions', 'changedAt']);
const STANDS = cases.update('caseId', ['standing']);
const APPEALED = cases.update('caseId', ['state', 'changedAt']);
const ADD = decisions.insert(['caseId', 'number', 'action', 'reason', 'adminId', 'at', 'until']);
const APPEAL_STARTED = decisions.update(['caseId', 'number'], ['appealedAt']);
const APPEAL_ENDED = decisions.update(['caseId', 'number'], ['outcome']);
/** Closes an appeal. If there are reports that arrived after the appeal, the case stays open. */
const APPEAL_DONE = statement((db, of: Of<Pick<RowOf<typeof cases>, 'caseId' | 'decisions' | 'changedAt'>>) =>
  db
    .updateTable('moderationCases')
    .set({
      ...{ decisions: of('decisions'), changedAt: of('changedAt') },
      state: sql<string>`case when open_reports > 0 then 'open' else 'acted' end`,
    })
    .where('caseId', '=', of('caseId')),
);

/** Maintains `moderation_cases` (the queue) and `moderation_decisions`. */
export const projectCases: Projection<CaseEvent> = (write, group) => {
  for (const { type, data, id: caseId, occurredAt: changedAt } of group) {
    switch (type) {
      case 'ContentReported':
        write.query(REPORTED.text, REPORTED.values({ ...data, caseId, changedAt }));
        // A report about an ad sets the ad to shown, as in the decider.
        if (data.kind === 'ad') write.query(STANDS.text, STANDS.values({ caseId, standing: 'shown' }));
        break;
      case 'CaseActed': {
        const { number, action, reason, adminId, at, until } = data;
        write.query(
          SETTLED.text,
          SETTLED.values({ caseId, state: 'acted', openReports: 0, decisions: number, changedAt }),
        );
        const isMoved = action === 'hide' || action === 'remove' || action === 'restore';
        if (isMoved) write.query(STANDS.text, STANDS.values({ caseId, standing: standingAfter('shown', action) }));
        write.query(ADD.text, ADD.values({ caseId, number, action, reason, adminId, at, until }));
        break;
      }
      case 'DecisionAppealed':
        write.query(APPEALED.text, APPEALED.values({ caseId, state: 'appealed', changedAt }));
        write.query(APPEAL_STARTED.text, APPEAL_STARTED.values({ caseId, number: data.decision, appealedAt: data.at }));
        break;
      case 'AppealDecided': {
        const isBack = data.outcome === 'reversed' && data.action === 'hide';
        write.query(APPEAL_DONE.text, APPEAL_DONE.values({ caseId, decisions: data.number, changedAt }));
        if (isBack) write.query(STANDS.text, STANDS.values({ caseId, standing: 'shown' }));
        write.query(APPEAL_ENDED.text, APPEAL_ENDED.values({ caseId, number: data.decision, outcome: data.outcome }));
        break;
      }
    }
  }
};
