import { Router, type Request, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import {
  GalleryQuery,
  ModeratePhotoBody,
  PhotoFields,
  PhotosToCheckQuery,
  ReportPhotoBody,
} from '@beltway/contracts/media/gallery';
import { MAX_PHOTO_BYTES, PHOTO_FAULTS } from '@beltway/contracts/media/gallery-texts';
import type { PictureSize } from '@beltway/contracts/media/pictures';
import { Rejected } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { arrivingBodies, bodiesInTime } from '@beltway/kit/arriving-bodies';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { gate } from '@beltway/kit/overload';
import { HttpProblem, forbidden, notFound } from '@beltway/kit/problems';
import { addressOf, rateLimit } from '@beltway/kit/rate-limit';
import { PICTURE_FILE } from '../image/files.ts';
import { limitUploads } from '../image/limit-uploads.ts';
import { ImageRefused, REFUSALS } from '../image/refusal.ts';
import { receiveUpload } from '../image/upload.ts';
import { commandFrom } from './command.ts';
import type { StoredPictures } from '../files/stored-pictures.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';
import type { Likes } from '../rows/likes.ts';
import type { TellReport } from '../moderation/report.ts';
import { sendImmutable } from '../send-immutable.ts';
import type { Photos } from './stream.ts';
import { eventsWithPhotos, photoFor, photosFor, photosToCheck } from './queries.ts';
import { uploadPhoto } from './upload.ts';

export interface PhotoRoutesDeps {
  pool: Pool;
  photos: Photos;
  likes: Likes;
  pictures: StoredPictures;
  stored: StoredBytes;
  /** Writes a report down, also for admins. */
  report: TellReport;
  /** Called when files may have become nobody's. */
  wakeSweep: () => void;
  auth: Pick<Authenticator, 'signedIn' | 'role'>;
  clock: () => Date;
}

/** Of one account at a time, from the first byte to the answer. */
const MAX_OF_ACCOUNT = 3;
/** Files on their way, in memory as far as they have come; and files that are being stored. */
const MAX_TOGETHER = 8;
const TOO_MANY = 'Too many pictures are on their way. Please try again in a moment.';
/** Words beside the file, with room for what is refused by its field. */
const MAX_WORDS_BYTES = 16 * 1024;
/** Likes of an account, given and taken back. */
const LIKES = { name: 'photo-likes', points: 120, perSeconds: 60 };
/** Photos in the list without a page. */
const LIST = 60;

/** The words of docs/product.md#gallery where they differ from those of an event's picture. */
const faultOf = (error: ImageRefused): HttpProblem => {
  const { status, message } = REFUSALS[error.code];
  const text = error.code === 'image-too-large' ? PHOTO_FAULTS.size.text : message;
  return new HttpProblem(status, error.code, text, { errors: [{ field: 'image', message: text }] });
};

async function refusedByField<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ImageRefused ? faultOf(error) : error;
  }
}

/** All fields that are wrong, in the order of the form. */
function checkedFields(texts: Record<string, string>, bytes: Buffer | undefined) {
  const fields = PhotoFields.safeParse(texts);
  const issues = fields.error?.issues ?? [];
  const errors = [...new Map(issues.map(({ path: [field = ''], message }) => [String(field), message]))]
    .map(([field, message]) => ({ field, message }))
    .concat(bytes ? [] : [{ field: 'image', message: PHOTO_FAULTS.image.text }]);
  if (!fields.success || !bytes) throw new HttpProblem(400, 'invalid', errors[0]!.message, { errors });
  return { ...fields.data, bytes };
}

/** POST /api/gallery/upload. Before the app's JSON parser: its bodies are larger than any other. */
export function photoUploadRoutes(deps: PhotoRoutesDeps): Router {
  const router = Router();
  // A place is for who sends: one that holds back its body makes room for those who do not.
  const arriving = arrivingBodies({
    max: MAX_TOGETHER,
    senderOf: (req) => String(callerOf(req as Request).id),
    what: TOO_MANY,
  });
  const storing = gate(MAX_TOGETHER, { what: TOO_MANY });

  router.post(
    '/api/gallery/upload',
    deps.auth.signedIn,
    limitUploads(MAX_OF_ACCOUNT, (req) => String(callerOf(req).id)),
    bodiesInTime(arriving),
    async (req, res) => {
      const key = idempotencyKeyOf(req);
      const photo = await refusedByField(
        (async () => {
          const limits = {
            maxBytes: MAX_PHOTO_BYTES,
            words: Object.keys(PhotoFields.shape),
            maxWordsBytes: MAX_WORDS_BYTES,
          };
          const { file, texts } = await receiveUpload(req, 'image', limits);
          const arrived = checkedFields(texts, file);
          const leave = storing.enter();
          return uploadPhoto(
            deps,
            callerOf(req),
            { ...arrived, key, address: addressOf(req) },
            { correlationId: requestIdOf(res) },
          ).finally(leave);
        })(),
      );
      res.status(201).json(photo);
    },
  );
  return router;
}

/** The gallery (docs/product.md#gallery), for who is signed in; its pictures for who has their address. */
export function photoRoutes({ pool, photos, likes, pictures, report, wakeSweep, auth }: PhotoRoutesDeps): Router {
  const router = Router();
  const idOf = (req: Request): number => {
    const id = IdText.safeParse(req.params['id']);
    if (!id.success) throw notFound('This photo');
    return id.data;
  };
  const seen = async (req: Request) => {
    const { id, role } = callerOf(req);
    const photo = await photoFor(pool, { id, isAdmin: role === 'admin' }, idOf(req));
    if (!photo) throw notFound('This photo');
    return photo;
  };

  router.get('/api/gallery', auth.signedIn, async (req, res) => {
    const isPage = Object.keys(req.query).length > 0;
    const query = isPage ? GalleryQuery.parse(req.query) : { limit: LIST };
    const page = await photosFor(pool, callerOf(req).id, query);
    res.json(isPage ? page : page.items);
  });

  router.get('/api/gallery/events', auth.signedIn, async (req, res) => {
    res.json(await eventsWithPhotos(pool, callerOf(req).id));
  });

  router.get('/api/gallery/moderation', auth.role('admin'), async (req, res) => {
    res.json(await photosToCheck(pool, callerOf(req).id, PhotosToCheckQuery.parse(req.query)));
  });

  router.get('/api/gallery/:id', auth.signedIn, async (req, res) => {
    res.json(await seen(req));
  });

  const likeLimit: RequestHandler = rateLimit({ ...LIKES, key: (req) => String(callerOf(req).id) });
  router.post('/api/gallery/:id/like', auth.signedIn, likeLimit, async (req, res) => {
    res.json(await likes.set(idOf(req), callerOf(req).id, true));
  });
  router.delete('/api/gallery/:id/like', auth.signedIn, likeLimit, async (req, res) => {
    res.json(await likes.set(idOf(req), callerOf(req).id, false));
  });

  router.post('/api/gallery/:id/report', auth.signedIn, async (req, res) => {
    await seen(req);
    const id = idOf(req);
    const reporterId = callerOf(req).id;
    const body = ReportPhotoBody.parse(req.body);
    await report({ kind: 'photo', id: String(id), reporterId, ...body }, commandFrom(req));
    res.status(204).end();
  });

  router.delete('/api/gallery/:id', auth.signedIn, async (req, res) => {
    const caller = callerOf(req);
    const photoId = idOf(req);
    const { status, uploaderId } = await photos.read(photoId, (state) => ({ ...state }));
    const isOwn = status !== 'none' && uploaderId === caller.id;
    if (!isOwn && caller.role !== 'admin') throw status === 'verified' ? forbidden() : notFound('This photo');
    if (status === 'none') throw notFound('This photo');
    await photos.handle(photoId, { type: 'RemovePhoto', by: isOwn ? 'uploader' : 'admin' }, commandFrom(req));
    wakeSweep();
    res.status(204).end();
  });

  router.post('/api/gallery/:id/moderation', auth.role('admin'), async (req, res) => {
    const photoId = idOf(req);
    const body = ModeratePhotoBody.parse(req.body);
    // Its words lie beside the log: first, so that a rejection never stands without its reason.
    const reason = body.action === 'reject' ? body.reason : null;
    if (body.action === 'reject' || body.action === 'verify')
      await pool.query('update photo_texts set reason = $2 where photo_id = $1', [photoId, reason]);
    const command = {
      verify: { type: 'VerifyPhoto' },
      reject: { type: 'RejectPhoto' },
      keep: { type: 'KeepPhoto' },
      remove: { type: 'RemovePhoto', by: 'admin' },
    } as const;
    await photos.handle(photoId, command[body.action], commandFrom(req)).catch((error: unknown) => {
      throw error instanceof Rejected && error.code === 'photo-removed' ? notFound('This photo') : error;
    });
    wakeSweep();
    res.status(204).end();
  });

  router.get('/media/gallery/:name', async (req, res) => {
    const [, name, size] = PICTURE_FILE.exec(req.params.name) ?? [];
    if (!name || !size) throw notFound('This image');
    await sendImmutable(req, res, `${name}-${size}`, async () => {
      const body = await pictures.read(name, size as PictureSize);
      if (!body) throw notFound('This image');
      return body;
    });
  });

  return router;
}
