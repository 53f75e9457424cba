import { Router } from 'express';
import {
  GalleryQuery,
  ModeratePhotoBody,
  PhotoFields,
  PhotosToCheckQuery,
  ReportPhotoBody,
} from '@beltway/contracts/media/gallery';
import { MAX_PHOTO_BYTES } from '@beltway/contracts/media/gallery-texts';
import type { PictureSize } from '@beltway/contracts/media/pictures';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { gate } from '@beltway/kit/overload';
import { pathId } from '@beltway/kit/path-id';
import type { HttpProblem } from '@beltway/kit/problems';
import { notFound, badField, fieldError } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { PICTURE_FILE } from '../image/files.ts';
import { ImageRefused, REFUSALS } from '../image/refusal.ts';
import { receiveUpload } from '../image/upload.ts';
import { ITEMS } from '../item/kinds.ts';
import { itemById, toPhoto } from '../item/queries.ts';
import { itemCalls, uploadFields, uploadGates, type ItemRoutesDeps } from '../item/routes.ts';
import { sendImmutable } from '../send-immutable.ts';
import { eventsWithPhotos, photosFor } from './queries.ts';
import { uploadPhoto, type UploadDeps } from './upload.ts';

export type PhotoRoutesDeps = ItemRoutesDeps & UploadDeps;

/**
 * Maximum bytes of the texts beside the file. Longer texts than valid ones fit, so that each faulty field can be
 * reported.
 */
const MAX_WORDS_BYTES = 16 * 1024;
/** How many photos a list without a cursor has. */
const LIST = 60;

/** The errors of services/media/PRODUCT.md#gallery, whose texts partly differ from those for an event's picture. */
const faultOf = (error: ImageRefused): HttpProblem => {
  const { code } = error;
  const status = REFUSALS[code];
  return badField('image', code === 'image-too-large' ? 'image-too-large.photo' : code, { status });
};

/** POST /api/gallery/upload. Mounted before the app's JSON parser, because upload bodies are larger than all others. */
export function photoUploadRoutes(deps: PhotoRoutesDeps): Router {
  const router = Router();
  const storing = gate(ITEMS.photo.uploadsTogether, { what: ITEMS.photo.tooManyUploads });
  const limits = {
    maxBytes: MAX_PHOTO_BYTES,
    words: Object.keys(PhotoFields.shape),
    maxWordsBytes: MAX_WORDS_BYTES,
  };

  router.post('/api/gallery/upload', deps.auth.signedIn, ...uploadGates('photo'), async (req, res) => {
    const key = idempotencyKeyOf(req);
    try {
      const { file, texts } = await receiveUpload(req, 'image', limits);
      const missing = file ? undefined : fieldError('image', 'invalid.photo-missing');
      const fields = uploadFields(PhotoFields, texts, missing);
      const leave = storing.enter();
      const arrived = { ...fields, bytes: file!, key, address: addressOf(req) };
      const context = { correlationId: requestIdOf(res) };
      res.status(201).json(await uploadPhoto(deps, callerOf(req), arrived, context).finally(leave));
    } catch (error) {
      throw error instanceof ImageRefused ? faultOf(error) : error;
    }
  });
  return router;
}

/**
 * The gallery (services/media/PRODUCT.md#gallery), for signed-in users. Anyone who has the URL of a picture can open
 * it.
 */
export function photoRoutes(deps: PhotoRoutesDeps): Router {
  const { pool, pictures, auth } = deps;
  const router = Router();

  router.get('/api/gallery', auth.signedIn, async (req, res) => {
    const isPage = Object.keys(req.query).length > 0;
    const query = isPage ? GalleryQuery.parse(req.query) : { limit: LIST };
    const page = await photosFor(pool, callerOf(req).id, query);
    res.json(isPage ? page : page.items);
  });

  router.get('/api/gallery/events', auth.signedIn, async (req, res) => {
    res.json(await eventsWithPhotos(pool, callerOf(req).id));
  });

  const item = itemCalls(deps, 'photo', {
    report: ReportPhotoBody,
    toCheck: PhotosToCheckQuery,
    moderation: ModeratePhotoBody,
    toItem: (row, adminId) => ({ ...toPhoto(row, adminId, true), uploaderId: row.userId }),
  });
  router.get('/api/gallery/moderation', auth.role('admin'), item.toCheck);
  router.post('/api/gallery/:id/moderation', auth.role('admin'), item.moderate);
  router.post('/api/gallery/:id/like', auth.signedIn, item.like);
  router.delete('/api/gallery/:id/like', auth.signedIn, item.unlike);
  router.post('/api/gallery/:id/report', auth.signedIn, item.report);
  router.delete('/api/gallery/:id', auth.signedIn, item.remove);

  router.get('/api/gallery/:id', auth.signedIn, async (req, res) => {
    const { id, role } = callerOf(req);
    const row = await itemById(pool, 'photo', pathId(req, 'id', 'photo'), id);
    const isAdmin = role === 'admin';
    if (!row || !(row.status === 'shown' || row.userId === id || isAdmin)) throw notFound('photo');
    res.json(toPhoto(row, id, isAdmin));
  });

  router.get('/media/gallery/:name', async (req, res) => {
    const [, name, size] = PICTURE_FILE.exec(req.params.name) ?? [];
    if (!name || !size) throw notFound('image');
    await sendImmutable(req, res, `${name}-${size}`, async () => {
      const body = await pictures.read(name, size as PictureSize);
      if (!body) throw notFound('image');
      return body;
    });
  });

  return router;
}
