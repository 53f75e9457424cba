import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import {
  ModerateTopPickBody,
  ReportTopPickBody,
  TopPickFields,
  TopPicksQuery,
  TopPicksToCheckQuery,
} from '@beltway/contracts/media/top-picks';
import { MAX_THUMBNAIL_BYTES, VIDEO_FAULTS } from '@beltway/contracts/media/top-picks-texts';
import { Rejected } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { arrivingBodies, bodiesInTime } from '@beltway/kit/arriving-bodies';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { gate } from '@beltway/kit/overload';
import { HttpProblem, forbidden, notFound } from '@beltway/kit/problems';
import { addressOf, rateLimit } from '@beltway/kit/rate-limit';
import { isFromOurPage, visitorOf } from '@beltway/kit/visitors';
import { commandFrom } from '../photo/command.ts';
import { VIDEO_FILE } from '../files/stored-videos.ts';
import { limitUploads } from '../image/limit-uploads.ts';
import { ImageRefused, REFUSALS } from '../image/refusal.ts';
import type { Likes } from '../rows/likes.ts';
import type { TellReport } from '../moderation/report.ts';
import { sendRange } from '../send-range.ts';
import { fewAtATime } from '../upload/few-at-a-time.ts';
import { receiveForm } from '../upload/form.ts';
import { inMemory } from '../upload/in-memory.ts';
import type { Spool } from '../upload/spool.ts';
import { judgeVideo, videoTo } from './arrived.ts';
import { VIDEO_TYPES, type VideoKind } from './found.ts';
import { ownTopPicks, topPicks, videoById, videosToCheck } from './queries.ts';
import { VIDEO_REFUSALS, VideoRefused } from './refusal.ts';
import { uploadVideo, type VideoUploadDeps } from './upload.ts';
import type { VideoViews } from './views.ts';

export interface VideoRoutesDeps extends VideoUploadDeps {
  pool: Pool;
  likes: Likes;
  views: VideoViews;
  spool: Spool;
  /** Writes a report down, also for admins. */
  report: TellReport;
  /** Called when files may have become nobody's. */
  wakeSweep: () => void;
  auth: Pick<Authenticator, 'signedIn' | 'role'>;
}

/** Of one account at a time, from the first byte to the answer. */
const MAX_OF_ACCOUNT = 2;
/** Files on their way, each on this machine's disk as far as it has come. */
const MAX_TOGETHER = 12;
/** Files that came and are judged and stored, those counted that wait for it. */
const MAX_JUDGED = 12;
/** Of these at the same time: each takes a processor for a moment, which others need to be answered. */
const JUDGED_AT_ONCE = 1;
/** One that takes longer, as made to hang a decoder, is judged beside the next. Usual are 300 ms. */
const SLOW_MS = 1_000;
const TOO_MANY = 'Too many videos are on their way. Please try again in a moment.';
/** Words beside the files, with room for what is refused by its field. */
const MAX_WORDS_BYTES = 16 * 1024;
/** Likes of an account, given and taken back. */
const LIKES = { name: 'video-likes', points: 120, perSeconds: 60 };
/** Videos in the list without a page. */
const LIST = 60;

/** The words of docs/product.md#top-picks, by the field that they are of. */
function faultOf(error: unknown): unknown {
  if (error instanceof VideoRefused) {
    const { status, message } = VIDEO_REFUSALS[error.code];
    return new HttpProblem(status, error.code, message, { errors: [{ field: 'video', message }] });
  }
  if (error instanceof ImageRefused) {
    const { status, message } = REFUSALS[error.code];
    return new HttpProblem(status, error.code, message, { errors: [{ field: 'thumbnail', message }] });
  }
  return error;
}

/** All fields that are wrong, in the order of the form. */
function checkedFields(texts: Record<string, string>, bytes = 0): TopPickFields {
  const fields = TopPickFields.safeParse(texts);
  const issues = fields.error?.issues ?? [];
  const errors = [...new Map(issues.map(({ path: [field = ''], message }) => [String(field), message]))]
    .map(([field, message]) => ({ field, message }))
    .concat(bytes ? [] : [{ field: 'video', message: VIDEO_FAULTS.missing.text }]);
  if (!fields.success || !bytes) throw new HttpProblem(400, 'invalid', errors[0]!.message, { errors });
  return fields.data;
}

/** POST /api/top-picks/upload. Before the app's JSON parser: its bodies are larger than any other. */
export function videoUploadRoutes(deps: VideoRoutesDeps): Router {
  const router = Router();
  // A place is for who sends: one that holds back its body makes room for those who do not.
  const arriving = arrivingBodies({
    max: MAX_TOGETHER,
    senderOf: (req) => String(callerOf(req as Request).id),
    what: TOO_MANY,
  });
  const judging = gate(MAX_JUDGED, { what: TOO_MANY });
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
    const fields = checkedFields(texts, files.video?.bytes);
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

  router.post(
    '/api/top-picks/upload',
    deps.auth.signedIn,
    limitUploads(MAX_OF_ACCOUNT, (req) => String(callerOf(req).id), TOO_MANY),
    bodiesInTime(arriving),
    async (req, res) => {
      const video = await deps.spool
        .withFile((path) => upload(req, res, path))
        .catch((error: unknown) => {
          throw faultOf(error);
        });
      res.status(201).json(video);
    },
  );
  return router;
}

/** Top Picks (docs/product.md#top-picks): read by everybody. */
export function videoRoutes({ pool, videos, files, likes, views, report, wakeSweep, auth }: VideoRoutesDeps): Router {
  const router = Router();
  const idOf = (req: Request): number => {
    const id = IdText.safeParse(req.params['id']);
    if (!id.success) throw notFound('This video');
    return id.data;
  };
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

  router.get('/api/top-picks/moderation', auth.role('admin'), async (req, res) => {
    res.json(await videosToCheck(pool, TopPicksToCheckQuery.parse(req.query)));
  });

  router.get('/api/top-picks/:id', async (req, res) => {
    const video = await videoById(pool, idOf(req));
    if (!video?.approved) throw notFound('This video');
    isPublic(res).json(video);
  });

  const likeLimit = rateLimit({ ...LIKES, key: (req) => String(callerOf(req).id) });
  router.post('/api/top-picks/:id/like', auth.signedIn, likeLimit, async (req, res) => {
    res.json(await likes.set(idOf(req), callerOf(req).id, true));
  });
  router.delete('/api/top-picks/:id/like', auth.signedIn, likeLimit, async (req, res) => {
    res.json(await likes.set(idOf(req), callerOf(req).id, false));
  });

  router.post('/api/top-picks/:id/view', (req, res) => {
    const videoId = idOf(req);
    if (isFromOurPage(req)) views.note({ ...visitorOf(req), videoId });
    res.status(204).end();
  });

  router.post('/api/top-picks/:id/report', auth.signedIn, async (req, res) => {
    const id = idOf(req);
    const reporterId = callerOf(req).id;
    const body = ReportTopPickBody.parse(req.body);
    await report({ kind: 'video', id: String(id), reporterId, ...body }, commandFrom(req));
    res.status(204).end();
  });

  router.delete('/api/top-picks/:id', auth.signedIn, async (req, res) => {
    const caller = callerOf(req);
    const videoId = idOf(req);
    const { status, uploaderId } = await videos.read(videoId, (state) => ({ ...state }));
    const isOwn = status !== 'none' && uploaderId === caller.id;
    if (!isOwn && caller.role !== 'admin') throw status === 'approved' ? forbidden() : notFound('This video');
    if (status === 'none') throw notFound('This video');
    await videos.handle(videoId, { type: 'RemoveVideo', by: isOwn ? 'uploader' : 'admin' }, commandFrom(req));
    wakeSweep();
    res.status(204).end();
  });

  router.post('/api/top-picks/:id/moderation', auth.role('admin'), async (req, res) => {
    const videoId = idOf(req);
    const body = ModerateTopPickBody.parse(req.body);
    // Its words lie beside the log: first, so that a rejection never stands without its reason.
    if (body.action === 'reject' || body.action === 'approve')
      await pool.query('update video_texts set reason = $2 where video_id = $1', [
        videoId,
        body.action === 'reject' ? body.reason : null,
      ]);
    const command = {
      approve: { type: 'ApproveVideo' },
      reject: { type: 'RejectVideo' },
      feature: { type: 'FeatureVideo' },
      unfeature: { type: 'UnfeatureVideo' },
      keep: { type: 'KeepVideo' },
      remove: { type: 'RemoveVideo', by: 'admin' },
    } as const;
    await videos.handle(videoId, command[body.action], commandFrom(req)).catch((error: unknown) => {
      throw error instanceof Rejected && error.code === 'video-removed' ? notFound('This video') : error;
    });
    if (body.action === 'remove') wakeSweep();
    res.status(204).end();
  });

  router.get('/media/videos/:name', async (req, res) => {
    const { name } = req.params;
    const kind = VIDEO_FILE.exec(name)?.[1] as VideoKind | undefined;
    const size = kind && (await files.sizeOf(name));
    if (size === undefined) throw notFound('This video');
    const read = (range?: Parameters<typeof files.read>[1]) => files.read(name, range);
    if (!(await sendRange(req, res, { name, type: VIDEO_TYPES[kind!], size, read }))) throw notFound('This video');
  });

  return router;
}
