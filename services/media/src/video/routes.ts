import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import {
  ModerateTopPickBody,
  ReportTopPickBody,
  TopPickFields,
  TopPicksQuery,
  TopPicksToCheckQuery,
} from '@beltway/contracts/media/top-picks';
import { MAX_THUMBNAIL_BYTES } from '@beltway/contracts/media/top-picks-texts';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { gate } from '@beltway/kit/overload';
import { pathId } from '@beltway/kit/path-id';
import { notFound, badField, fieldError } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { isFromOurPage, visitorOf } from '@beltway/kit/visitors';
import { VIDEO_FILE } from '../files/stored-videos.ts';
import { ImageRefused, REFUSALS } from '../image/refusal.ts';
import { ITEMS } from '../item/kinds.ts';
import { itemById, toVideo } from '../item/queries.ts';
import { itemCalls, uploadFields, uploadGates, type ItemRoutesDeps } from '../item/routes.ts';
import { sendRange } from '../send-range.ts';
import { fewAtATime } from '../upload/few-at-a-time.ts';
import { receiveForm } from '../upload/form.ts';
import { inMemory } from '../upload/in-memory.ts';
import type { Spool } from '../upload/spool.ts';
import { judgeVideo, videoTo } from './arrived.ts';
import { VIDEO_TYPES, type VideoKind } from './found.ts';
import { ownTopPicks, topPicks } from './queries.ts';
import { VIDEO_REFUSALS, VideoRefused } from './refusal.ts';
import { uploadVideo, type VideoUploadDeps } from './upload.ts';
import type { VideoViews } from './views.ts';

export interface VideoRoutesDeps extends VideoUploadDeps, ItemRoutesDeps {
  pool: Pool;
  views: VideoViews;
  spool: Spool;
}

/** Maximum of received files that are being checked and stored, or that wait to be. */
const MAX_JUDGED = 12;
/** How many of these files are processed at the same time. Each file briefly uses a CPU, and so do responses. */
const JUDGED_AT_ONCE = 1;
/**
 * A check that takes longer no longer blocks the next check, because a file may be made to hang a decoder. Checks
 * usually take 300 ms.
 */
const SLOW_MS = 1_000;
/**
 * Maximum bytes of the texts beside the files. Longer texts than valid ones fit, so that each faulty field can be
 * reported.
 */
const MAX_WORDS_BYTES = 16 * 1024;
/** How many videos a list without a cursor has. */
const LIST = 60;

/** The errors of services/media/PRODUCT.md#top-picks, for each field. */
function faultOf(error: unknown): unknown {
  if (error instanceof VideoRefused) {
    return badField('video', error.code, { status: VIDEO_REFUSALS[error.code] });
  }
  if (error instanceof ImageRefused) {
    return badField('thumbnail', error.code, { status: REFUSALS[error.code] });
  }
  return error;
}

/**
 * POST /api/top-picks/upload. Mounted before the app's JSON parser, because upload bodies are larger than all others.
 */
export function videoUploadRoutes(deps: VideoRoutesDeps): Router {
  const router = Router();
  const judging = gate(MAX_JUDGED, { what: ITEMS.video.tooManyUploads });
  const inTurn = fewAtATime(JUDGED_AT_ONCE, SLOW_MS);

  async function upload(req: Request, res: Response, path: string) {
    const key = idempotencyKeyOf(req);
    const { files, texts } = await receiveForm(req, {
      files: {
        video: videoTo(path),
        thumbnail: inMemory(MAX_THUMBNAIL_BYTES, () => new ImageRefused('image-too-large')),
      },
      words: Object.keys(TopPickFields.shape),
      maxWordsBytes: MAX_WORDS_BYTES,
      what: 'video',
    });
    const missing = files.video?.bytes ? undefined : fieldError('video', 'invalid.video-missing');
    const fields = uploadFields(TopPickFields, texts, missing);
    const leave = judging.enter();
    try {
      return await inTurn(async () => {
        const video = await judgeVideo(path, files.video!, deps.ffmpeg);
        const thumbnail = files.thumbnail?.length ? files.thumbnail : undefined;
        const arrived = { fields, video, thumbnail, key, address: addressOf(req) };
        return uploadVideo(deps, callerOf(req), arrived, { correlationId: requestIdOf(res) });
      });
    } finally {
      leave();
    }
  }

  router.post('/api/top-picks/upload', deps.auth.signedIn, ...uploadGates('video'), async (req, res) => {
    const video = await deps.spool
      .withFile((path) => upload(req, res, path))
      .catch((error: unknown) => {
        throw faultOf(error);
      });
    res.status(201).json(video);
  });
  return router;
}

/** Top Picks (services/media/PRODUCT.md#top-picks). Anyone may read them. */
export function videoRoutes(deps: VideoRoutesDeps): Router {
  const { pool, files, views, auth } = deps;
  const router = Router();
  const idOf = (req: Request) => pathId(req, 'id', 'video');
  const isPublic = (res: Response) => res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': 'top-picks' });

  router.get('/api/top-picks', async (req, res) => {
    const isPage = Object.keys(req.query).length > 0;
    const query = isPage ? TopPicksQuery.parse(req.query) : { category: 'all' as const, limit: LIST };
    const page = await topPicks(pool, query);
    isPublic(res).json(isPage ? page : page.items);
  });

  router.get('/api/top-picks/mine', auth.signedIn, async (req, res) => {
    res.json(await ownTopPicks(pool, callerOf(req).id));
  });

  const item = itemCalls(deps, 'video', {
    report: ReportTopPickBody,
    toCheck: TopPicksToCheckQuery,
    moderation: ModerateTopPickBody,
    toItem: (row) => ({ ...toVideo(row), reason: row.reason }),
  });
  router.get('/api/top-picks/moderation', auth.role('admin'), item.toCheck);
  router.post('/api/top-picks/:id/moderation', auth.role('admin'), item.moderate);
  router.post('/api/top-picks/:id/like', auth.signedIn, item.like);
  router.delete('/api/top-picks/:id/like', auth.signedIn, item.unlike);
  router.post('/api/top-picks/:id/report', auth.signedIn, item.report);
  router.delete('/api/top-picks/:id', auth.signedIn, item.remove);

  router.get('/api/top-picks/:id', async (req, res) => {
    const row = await itemById(pool, 'video', idOf(req));
    if (row?.status !== 'shown') throw notFound('video');
    isPublic(res).json(toVideo(row));
  });

  router.post('/api/top-picks/:id/view', (req, res) => {
    const videoId = idOf(req);
    if (isFromOurPage(req)) views.note({ ...visitorOf(req), videoId });
    res.status(204).end();
  });

  router.get('/media/videos/:name', async (req, res) => {
    const { name } = req.params;
    const kind = VIDEO_FILE.exec(name)?.[1] as VideoKind | undefined;
    const size = kind && (await files.sizeOf(name));
    if (size === undefined) throw notFound('video');
    const read = (range?: Parameters<typeof files.read>[1]) => files.read(name, range);
    if (!(await sendRange(req, res, { name, type: VIDEO_TYPES[kind!], size, read }))) throw notFound('video');
  });

  return router;
}
