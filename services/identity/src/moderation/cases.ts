import type { Pool } from 'pg';
import {
  caseIdOf,
  type ActOnCaseBody,
  type DecideAppealBody,
  type QueueReportBody,
} from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/kit/rejected';
import { fingerprintOf, type Streams } from '@beltway/event-store';
import { countRows } from '@beltway/kit/kysely';
import { notFound } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import type { UserCommand, UserEvent } from '../user/events.ts';
import { applyToAuthor } from './authors.ts';
import type { CaseState } from './decider.ts';
import type { CaseCommand, CaseEvent } from './events.ts';
import { keepReport } from './limits.ts';

export interface CasesDeps {
  pool: Pool;
  cases: Streams<CaseState, CaseCommand, CaseEvent>;
  users: Streams<unknown, UserCommand, UserEvent>;
  clock: () => Date;
}

const DAY_MS = 24 * 3_600_000;
export const noSuchCase = () => notFound('case');

function known(error: unknown): never {
  throw error instanceof Rejected && error.code === 'no-such-case' ? noSuchCase() : error;
}

export type Cases = ReturnType<typeof openCases>;

/** Actions on a case: services/identity/PRODUCT.md#moderation */
export function openCases({ pool, cases, users, clock }: CasesDeps) {
  const wordsOf = (caseId: string, number: number, field: 'note' | 'appeal', text: string) =>
    kysely(pool)
      .insertInto('moderationWords')
      .values({ caseId, number, [field]: text })
      .onConflict((conflict) => conflict.columns(['caseId', 'number']).doUpdateSet({ [field]: text }))
      .execute();

  return {
    /**
     * Queues a report about existing content, at most one for each account, item, text version and decision. Throws 409
     * for the caller's own content, 429.
     */
    async report(report: QueueReportBody): Promise<void> {
      const { kind, id, reporterId, reason, note, authorId, excerpt, path, version, since } = report;
      const caseId = caseIdOf({ kind, id });
      if (authorId === reporterId) throw new Rejected('own-content');
      const decisions = await cases.read(caseId, (state) => state.decisions);
      await keepReport(pool, { caseId, reporterId, reason, note, version, since, decisions }, clock());
      await kysely(pool)
        .insertInto('moderationTexts')
        .values({ caseId, authorId, excerpt, path })
        .onConflict((conflict) => conflict.column('caseId').doUpdateSet({ authorId, excerpt, path }))
        .execute();
      await cases.handle(
        caseId,
        { type: 'ReportContent', kind, contentId: id, authorId, reporterId, reason, version, since },
        { commandId: `report\0${caseId}\0${reporterId}\0${version}\0${decisions}`, userId: reporterId },
      );
    },

    /**
     * Records a decision and applies it to the author. The service that holds the content gets a message on the bus.
     * Idempotent. Throws 404, or 409 with one of several codes, such as `acted-meanwhile` when another admin was first.
     */
    async act(
      caseId: string,
      { action, reason, seen, days, note }: ActOnCaseBody,
      { adminId, requestId }: { adminId: number; requestId: string },
    ): Promise<void> {
      const now = clock();
      const until = days === undefined ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
      const { events } = await cases
        .handle(
          caseId,
          { type: 'ActOnCase', action, reason, seen, adminId, now: now.toISOString(), until },
          {
            // The same request by the same admin after the same number of decisions has the same command id, so a
            // repeat changes nothing.
            commandId: `act\0${caseId}\0${seen}\0${adminId}\0${fingerprintOf({ action, reason, days: days ?? null })}`,
            ...{ userId: adminId, correlationId: requestId },
          },
        )
        .catch(known);
      if (note !== undefined) await wordsOf(caseId, seen + 1, 'note', note);
      for (const event of events) await applyToAuthor(users, caseId, event);
    },

    /** Lets the author appeal the last decision. Throws 404, or 409 with one of several codes. */
    async appeal(caseId: string, authorId: number, text: string): Promise<void> {
      const now = clock().toISOString();
      const commandId = `appeal\0${caseId}\0${fingerprintOf({ authorId, text })}`;
      const appealed = await cases.read(caseId, ({ appealable }) => appealable?.number);
      const { events } = await cases
        .handle(
          caseId,
          { type: 'AppealDecision', authorId, now },
          { commandId: `${commandId}\0${appealed ?? 0}`, userId: authorId },
        )
        .catch(known);
      for (const { type, data } of events)
        if (type === 'DecisionAppealed') await wordsOf(caseId, data.decision, 'appeal', text);
    },

    /**
     * Upholds or reverses the decision. Throws 404, or 409 with one of several codes. One is `own-decision`, if the
     * same admin made the decision and there is another admin.
     */
    async decideAppeal(
      caseId: string,
      { outcome }: DecideAppealBody,
      { adminId, requestId }: { adminId: number; requestId: string },
    ): Promise<void> {
      const { count: admins } = await kysely(pool)
        .selectFrom('users')
        .select(countRows)
        .where('role', '=', 'admin')
        .executeTakeFirstOrThrow();
      const appealed = await cases.read(caseId, ({ appealable }) => appealable?.number);
      const { events } = await cases
        .handle(
          caseId,
          {
            ...{ type: 'DecideAppeal', outcome, adminId },
            ...{ isOnlyAdmin: admins < 2, now: clock().toISOString() },
          },
          {
            commandId: `appeal-decided\0${caseId}\0${appealed ?? 0}\0${adminId}\0${outcome}`,
            ...{ userId: adminId, correlationId: requestId },
          },
        )
        .catch(known);
      for (const event of events) await applyToAuthor(users, caseId, event);
    },

    /** The number of the decision that the author may appeal. */
    appealableOf: (caseId: string): Promise<number | undefined> =>
      cases.read(caseId, ({ appealable }) => appealable?.number),
  };
}
