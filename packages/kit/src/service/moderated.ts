import { Router } from 'express';
import {
  ContentId,
  ContentModeratedV1,
  ContentReportedV1,
  ContentReports,
  LoadContentBody,
  caseIdOf,
  type ContentKind,
  type QueueReportBody,
  type ReportedContent,
} from '@beltway/contracts/identity/moderation';
import { Rejected, prepared } from '@beltway/event-store';
import { onRepeatable, type Handler } from '../bus/consume.ts';
import { internalOnly, type InternalClient } from '../http/instances/internal.ts';
import { HttpProblem } from '../http/problems.ts';
import type { Queryable } from '../postgres/pool.ts';
import type { Secrets } from '../secrets.ts';

/** An admin's decision about a piece of content. */
export interface Decision extends Omit<ContentModeratedV1['data'], 'kind'> {
  at: Date;
  correlationId: string;
}

/** A kind of content of a service: how to report it, and how to apply a decision. */
export interface ModeratedKind {
  kind: ContentKind;
  /** Loads the reported content. Throws 404 if it does not exist, and 409 if it is the reporter's own content. */
  load: (id: string, reporterId: number) => Promise<Omit<ReportedContent, 'since'>>;
  /**
   * Applies an admin's decision. Must be idempotent. 404 and `Rejected` mean that the decision is already applied or
   * the content is gone.
   */
  apply: (decision: Decision) => Promise<void>;
}

export interface ModeratedDeps {
  /** The service's own database, migrated by `packages/kit/migrations/moderated`. */
  pool: Queryable;
  /** Identity, which stores the reports and the admins' queue. */
  identity: Pick<InternalClient, 'post'>;
  kinds: readonly ModeratedKind[];
}

async function loadOf({ pool, kinds }: ModeratedDeps, kind: ContentKind, id: string, reporterId: number) {
  const content = await kinds.find((one) => one.kind === kind)!.load(id, reporterId);
  const { rows } = await pool.query<{ since: number }>(
    prepared('select since from moderated_contents where kind = $1 and content_id = $2', [kind, id]),
  );
  return { ...content, since: rows[0]?.since ?? 0 };
}

/**
 * Adds a report to identity's queue, once per account and content. Throws 404, 409 (the reporter's own content) or 429.
 */
export async function reportContent(
  deps: ModeratedDeps,
  kind: ContentKind,
  report: Pick<QueueReportBody, 'id' | 'reporterId' | 'reason' | 'note'>,
): Promise<void> {
  const content = await loadOf(deps, kind, report.id, report.reporterId);
  await deps.identity.post('/internal/reports', { kind, ...report, ...content } satisfies QueueReportBody);
}

/**
 * `POST /internal/content/{kind}/{id}`, called by identity when it received a report: 200 ReportedContent, 404, or 409
 * for the reporter's own content.
 */
export function contentRoutes(deps: ModeratedDeps, internalToken: Secrets): Router {
  const router = Router();
  for (const { kind } of deps.kinds)
    router.post(`/internal/content/${kind}/:id`, internalOnly(internalToken), async (req, res) => {
      const { reporterId } = LoadContentBody.parse(req.body);
      res.json(await loadOf(deps, kind, ContentId.parse(req.params['id']), reporterId));
    });
  return router;
}

const REPORTED = `insert into moderated_contents as m (kind, content_id, reports) values ($1, $2, $3)
  on conflict (kind, content_id) do update set reports = excluded.reports where m.reports < excluded.reports`;
// A decision that arrives after a later decision is ignored. A repeated decision is applied again, because its first
// run may have been interrupted.
const DECIDED = `insert into moderated_contents as m (kind, content_id, decision) values ($1, $2, $3)
  on conflict (kind, content_id) do update set decision = excluded.decision where m.decision <= excluded.decision`;

/** Handlers of identity's messages about the number of reports of content and about admins' decisions. */
export const moderationHandlers = ({ pool, kinds }: ModeratedDeps): Record<string, Handler> => ({
  'identity.content-reported': onRepeatable(ContentReportedV1, async ({ data: { kind, id, reports } }) => {
    if (kinds.some((one) => one.kind === kind)) await pool.query(prepared(REPORTED, [kind, id, reports]));
  }),
  'identity.content-moderated': onRepeatable(ContentModeratedV1, async ({ data, occurredAt, correlationId }) => {
    const { kind, ...decision } = data;
    const owned = kinds.find((one) => one.kind === kind);
    if (!owned) return;
    const { rowCount } = await pool.query(prepared(DECIDED, [kind, data.id, data.decision]));
    if (rowCount === 0) return;
    await owned.apply({ ...decision, at: new Date(occurredAt), correlationId }).catch((error: unknown) => {
      if (!(error instanceof Rejected || (error instanceof HttpProblem && error.status === 404))) throw error;
    });
    await settleReports(pool, kind, data.id);
  }),
});

const SETTLE = `update moderated_contents set settled = reports where kind = $1 and content_id = $2 and settled < reports`;

/**
 * Settles all reports so far after a moderator's decision, so the content leaves the list. Returns false if no report
 * was open.
 */
export async function settleReports(db: Queryable, kind: ContentKind, id: string | number): Promise<boolean> {
  const { rowCount } = await db.query(prepared(SETTLE, [kind, String(id)]));
  return rowCount === 1;
}

/** Records that the text changed, so that accounts that reported it can also report the new version. */
export const noteNewVersion = (db: Queryable, kind: ContentKind, id: string | number, version: number) =>
  db.query(
    prepared(
      'update moderated_contents set since = $3 where kind = $1 and content_id = $2 and reports > 0 and since < $3',
      [kind, String(id), version],
    ),
  );

/** SQL for the ids of a kind's content with unsettled reports. */
export const openReports = (kind: ContentKind): string =>
  `select content_id from moderated_contents where kind = '${kind}' and is_open`;

export interface ReportShown {
  reason: ContentReports['items'][number]['reports'][number]['reason'];
  note: string | null;
  at: string;
  /** The version of the text that was reported. */
  version: number;
  isSettled: boolean;
}

/**
 * The latest reports of each piece of content, grouped by content id, latest report first. Throws 503 if identity does
 * not respond.
 */
export async function reportsOf(
  { pool, identity }: Pick<ModeratedDeps, 'pool' | 'identity'>,
  kind: ContentKind,
  ids: ReadonlyArray<string | number>,
): Promise<Map<string, ReportShown[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; open: number }>(
    prepared(
      `select content_id as id, reports - settled as open from moderated_contents where kind = $1 and content_id = any($2::text[])`,
      [kind, ids.map(String)],
    ),
  );
  const open = new Map(rows.map((row) => [row.id, row.open]));
  const cases = ids.map((id) => caseIdOf({ kind, id: String(id) }));
  const { items } = ContentReports.parse(await identity.post('/internal/reports/of', { cases }));
  return new Map(
    items.map(({ id, reports }) => [
      id,
      reports.map((report, index) => ({ ...report, isSettled: index >= (open.get(id) ?? 0) })),
    ]),
  );
}
