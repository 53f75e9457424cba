import { Router, type Request } from 'express';
import type { Pool } from 'pg';
import {
  ActOnCaseBody,
  AppealBody,
  CaseId,
  ContentReportsBody,
  DecideAppealBody,
  ModerationQuery,
  OwnCasesQuery,
  QueueReportBody,
  ReportContentBody,
  ReportedContent,
  caseIdOf,
  excerptOf,
  type ContentKind,
  type ContentReports,
} from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/kit/rejected';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import { HttpProblem, notFound, unauthenticated } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { boundOfAppeal } from '../account/bound.ts';
import type { AccountLinks } from '../account/links.ts';
import { kysely } from '../db.ts';
import { recordAction, type RecordDeps } from '../audit/record.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { addressLimits } from '../throttle/addresses.ts';
import { noSuchCase, type Cases } from './cases.ts';
import { checkReportLimit } from './limits.ts';
import { caseById, moderationPage, ownCases, reportsOf } from './queries.ts';

export interface ModerationRoutesOptions extends RecordDeps {
  pool: Pool;
  cases: Cases;
  access: AccessTokens;
  links: AccountLinks;
  limits: ReturnType<typeof addressLimits>;
  /** The services that hold reportable content. */
  services: Record<'catalog' | 'media' | 'realtime', Pick<InternalClient, 'post'>>;
  internalToken: Secrets;
  clock: () => Date;
}

const OWNER = {
  ...({ comment: 'realtime', photo: 'media', video: 'media', message: 'realtime' } as const),
  ...({ post: 'realtime', 'post-comment': 'realtime', question: 'realtime', answer: 'realtime' } as const),
  ...({ event: 'catalog', ad: 'catalog' } as const),
} satisfies Record<Exclude<ContentKind, 'account'>, keyof ModerationRoutesOptions['services']>;

/** The reported account. Throws 404. cases.ts rejects reports about the caller's own account. */
async function accountOf(pool: Pool, id: number): Promise<ReportedContent> {
  const account = await kysely(pool).selectFrom('users').select('name').where('id', '=', id).executeTakeFirst();
  if (!account) throw notFound('account');
  return { authorId: id, excerpt: excerptOf(account.name), path: `/u/${id}`, version: 0, since: 0 };
}

/** Reports, the admins' queue, and appeals: services/identity/PRODUCT.md#moderation */
export function moderationRoutes(options: ModerationRoutesOptions): Router {
  const { pool, audit, cases, access, links, limits, services, internalToken, clock } = options;
  const router = Router();
  router.use(['/api/moderation', '/api/reports'], (_req, res, next) => {
    res.setHeader('cache-control', 'private, no-store');
    next();
  });
  const caseOf = (req: Request): string => {
    const id = CaseId.safeParse(req.params['caseId']);
    if (!id.success) throw noSuchCase();
    return id.data;
  };
  const shown = async (caseId: string) => {
    const found = await caseById(pool, caseId);
    if (!found) throw noSuchCase();
    return found;
  };

  /**
   * 204: reports content to moderators, once for each account and item; idempotent. 404 for missing content. 409 for
   * the caller's own content, or with a code of the service that holds the content. 429 beyond the daily limit.
   */
  router.post('/api/reports', access.signedIn, limits.reports, async (req, res) => {
    const { kind, reason, note, ...named } = ReportContentBody.parse(req.body);
    const id = String(named.id);
    const reporterId = callerOf(req).id;
    await checkReportLimit(pool, { caseId: caseIdOf({ kind, id }), reporterId }, clock());
    const report = { reporterId, reason, ...(note !== undefined && { note }) };
    const content =
      kind === 'account'
        ? await accountOf(pool, Number(id))
        : ReportedContent.parse(await services[OWNER[kind]].post(`/internal/content/${kind}/${id}`, { reporterId }));
    await cases.report({ kind, id, ...report, ...content });
    res.status(204).end();
  });

  /** 204: queues a report that arrived through the service that holds the content. */
  router.post('/internal/reports', internalOnly(internalToken), async (req, res) => {
    await cases.report(QueueReportBody.parse(req.body));
    res.status(204).end();
  });

  /** 200: the latest reports about these items, for moderators of the service that holds the items. */
  router.post('/internal/reports/of', internalOnly(internalToken), async (req, res) => {
    const { cases: ids } = ContentReportsBody.parse(req.body);
    res.json({ items: await reportsOf(pool, ids) } satisfies ContentReports);
  });

  router.get('/api/moderation', access.role('admin'), async (req, res) => {
    res.json(await moderationPage(pool, ModerationQuery.parse(req.query)));
  });

  router.get('/api/moderation/mine', access.signedIn, async (req, res) => {
    res.json(await ownCases(pool, callerOf(req).id, { ...OwnCasesQuery.parse(req.query), now: clock() }));
  });

  router.get('/api/moderation/:caseId', access.role('admin'), async (req, res) => {
    res.json(await shown(caseOf(req)));
  });

  /**
   * 200 the changed case. The action is recorded before it is carried out. 403 for an account that is no longer an
   * admin. 404. 409 with one of several codes, such as `acted-meanwhile` when another admin was first.
   */
  router.post('/api/moderation/:caseId/actions', access.role('admin'), async (req, res) => {
    const caseId = caseOf(req);
    const body = ActOnCaseBody.parse(req.body);
    const { author } = await shown(caseId);
    if (body.action === 'suspend' && author) {
      const account = await kysely(pool)
        .selectFrom('users')
        .select('role')
        .where('id', '=', author.id)
        .executeTakeFirst();
      if (account?.role === 'admin') throw new Rejected('admin-account');
    }
    const by = { adminId: callerOf(req).id, requestId: requestIdOf(res) };
    const action = { kind: 'moderated', subject: caseId, note: body.action } as const;
    await recordAction({ pool, audit, clock }, { accountId: by.adminId, requestId: by.requestId, ...action });
    await cases.act(caseId, body, by);
    res.json(await shown(caseId));
  });

  /** 200 the changed case. The decision is finally upheld or reversed. 403, 404, 409 with one of several codes. */
  router.post('/api/moderation/:caseId/appeal/decision', access.role('admin'), async (req, res) => {
    const caseId = caseOf(req);
    const body = DecideAppealBody.parse(req.body);
    await shown(caseId);
    const by = { adminId: callerOf(req).id, requestId: requestIdOf(res) };
    const action = { kind: 'appeal-decided', subject: caseId, note: body.outcome } as const;
    await recordAction({ pool, audit, clock }, { accountId: by.adminId, requestId: by.requestId, ...action });
    await cases.decideAppeal(caseId, body, by);
    res.json(await shown(caseId));
  });

  /**
   * Returns the author that a mailed link identifies. The link is bound to one decision. A suspended author cannot sign
   * in, so only the link allows an appeal.
   */
  async function authorBy(token: string, caseId: string): Promise<number> {
    const link = links.read(token);
    const number = await cases.appealableOf(caseId);
    const isGood =
      link?.kind === 'appeal' && number !== undefined && links.isGood(token, link, boundOfAppeal({ caseId, number }));
    if (!isGood) throw new HttpProblem(409, 'link-invalid.short');
    return link.userId;
  }

  /**
   * 204: appeals a decision, once and within 30 days. The author must be signed in or have the mailed link. 404 for
   * cases of other authors, 409 with one of several codes.
   */
  router.post('/api/moderation/:caseId/appeal', limits.appeals, async (req, res, next) => {
    const caseId = caseOf(req);
    const { text, token } = AppealBody.parse(req.body);
    const asAuthor = async (authorId: number) => {
      await cases.appeal(caseId, authorId, text);
      res.status(204).end();
    };
    if (token !== undefined) return asAuthor(await authorBy(token, caseId));
    if (req.get('authorization') === undefined) throw unauthenticated();
    await access.signedIn(req, res, (error?: unknown) => {
      if (error) return next(error);
      asAuthor(callerOf(req).id).catch(next);
    });
  });

  return router;
}
