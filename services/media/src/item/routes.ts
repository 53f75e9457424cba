import type { Request, RequestHandler } from 'express';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { ReportReason } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/event-store';
import { arrivingBodies, bodiesInTime } from '@beltway/kit/arriving-bodies';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { pathId } from '@beltway/kit/path-id';
import { HttpProblem, forbidden, notFound, fieldErrorOf, type FieldError } from '@beltway/kit/problems';
import { rateLimit } from '@beltway/kit/rate-limit';
import { reportContent, settleReports, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { limitUploads } from '../image/limit-uploads.ts';
import { commandFrom } from './command.ts';
import type { ItemCommand } from './events.ts';
import type { Items } from './stream.ts';
import { ITEMS, type ItemKind } from './kinds.ts';
import { setLike } from './likes.ts';
import { setReason } from './moderated.ts';
import { itemsToCheck, type CheckStatus, type ItemRow } from './queries.ts';

export interface ItemRoutesDeps {
  pool: Pool;
  items: Items;
  moderated: ModeratedDeps;
  /** Called when files may no longer be referenced. */
  wakeSweep: () => void;
  auth: Pick<Authenticator, 'signedIn' | 'role'>;
}

/** The request and response types of one kind. */
interface ItemCalls {
  report: z.ZodType<{ reason: ReportReason; note?: string | undefined }>;
  toCheck: z.ZodType<{ status: CheckStatus; cursor?: number | undefined; limit: number }>;
  moderation: z.ZodType<{ action: keyof typeof COMMANDS | 'keep'; reason?: string }>;
  /** The view of an item for admins. */
  toItem: (row: ItemRow, adminId: number) => { id: number };
}

const COMMANDS = {
  verify: { type: 'ShowItem' },
  approve: { type: 'ShowItem' },
  reject: { type: 'RejectItem' },
  feature: { type: 'FeatureItem' },
  unfeature: { type: 'UnfeatureItem' },
  remove: { type: 'RemoveItem', by: 'admin' },
} as const satisfies Record<string, ItemCommand>;

/** Rate limit for an account's likes and withdrawals. */
const LIKES = { points: 120, perSeconds: 60 };

/**
 * The handlers that photos and videos share: likes, reports, deletion, and admin actions. The routes must check the
 * account before they call a handler.
 */
export function itemCalls({ pool, items, moderated, wakeSweep }: ItemRoutesDeps, kind: ItemKind, calls: ItemCalls) {
  const idOf = (req: Request) => pathId(req, 'id', kind);
  const likeLimit = rateLimit({ name: `${kind}-likes`, ...LIKES, key: (req) => String(callerOf(req).id) });
  const liking = (isLiked: boolean): RequestHandler[] => [
    likeLimit,
    async (req, res) => {
      res.json(await setLike(pool, kind, { id: idOf(req), userId: callerOf(req).id, isLiked }));
    },
  ];

  const toCheck: RequestHandler = async (req, res) => {
    const adminId = callerOf(req).id;
    const query = { ...calls.toCheck.parse(req.query), adminId };
    res.json(await itemsToCheck({ pool, moderated }, kind, query, (row) => calls.toItem(row, adminId)));
  };

  const report: RequestHandler = async (req, res) => {
    const body = { id: String(idOf(req)), reporterId: callerOf(req).id, ...calls.report.parse(req.body) };
    await reportContent(moderated, kind, body);
    res.status(204).end();
  };

  const remove: RequestHandler = async (req, res) => {
    const caller = callerOf(req);
    const id = idOf(req);
    const { status, uploaderId } = await items[kind].read(id, (state) => ({ ...state }));
    const isOwn = status !== 'none' && uploaderId === caller.id;
    if (!isOwn && caller.role !== 'admin') throw status === 'shown' ? forbidden() : notFound(kind);
    if (status === 'none') throw notFound(kind);
    await items[kind].handle(id, { type: 'RemoveItem', by: isOwn ? 'uploader' : 'admin' }, commandFrom(req));
    wakeSweep();
    res.status(204).end();
  };

  const moderate: RequestHandler = async (req, res) => {
    const id = idOf(req);
    const { action, reason = null } = calls.moderation.parse(req.body);
    if (action === 'reject' || action === 'verify' || action === 'approve') await setReason(pool, kind, id, reason);
    if (action === 'keep') {
      const status = await items[kind].read(id, (state) => state.status);
      if (status === 'none' || status === 'removed') throw notFound(kind);
    } else
      await items[kind].handle(id, COMMANDS[action], commandFrom(req)).catch((error: unknown) => {
        throw error instanceof Rejected && error.code === `${kind}-removed` ? notFound(kind) : error;
      });
    if (action === 'keep' || action === 'reject') await settleReports(pool, kind, id);
    wakeSweep();
    res.status(204).end();
  };

  return {
    like: liking(true),
    unlike: liking(false),
    report,
    remove,
    toCheck,
    moderate,
  };
}

/** Middleware that runs before an upload's body is read. A client that stalls loses its slot. */
export function uploadGates(kind: ItemKind): RequestHandler[] {
  const { uploadsOfAccount, uploadsTogether: max, tooManyUploads: what } = ITEMS[kind];
  const senderOf = (req: Request) => String(callerOf(req).id);
  const arriving = arrivingBodies({ max, senderOf: (req) => senderOf(req as Request), what });
  return [limitUploads(uploadsOfAccount, senderOf, what), bodiesInTime(arriving)];
}

/**
 * The fields of an upload. Throws 400 with all errors, in the order of the form. `missing`: the error for a missing
 * file.
 */
export function uploadFields<Fields>(
  schema: z.ZodType<Fields>,
  texts: Record<string, string>,
  missing: FieldError | undefined,
): Fields {
  const fields = schema.safeParse(texts);
  const issues = fields.error?.issues ?? [];
  const errors = [...new Map(issues.map(fieldErrorOf).map((one) => [one.field, one])).values()].concat(missing ?? []);
  const [first] = errors;
  if (!fields.success || missing)
    throw HttpProblem.received(400, { ...first, code: 'invalid', detail: first!.message, errors });
  return fields.data;
}
