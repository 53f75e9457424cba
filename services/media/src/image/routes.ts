import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { KeepImageBody, StoreImageBody, type PictureSize } from '@beltway/contracts/media/images';
import { arrivingBodies, bodiesInTime } from '@beltway/kit/arriving-bodies';
import { callerOf } from '@beltway/kit/auth';
import { jsonBody } from '@beltway/kit/json-body';
import { gate } from '@beltway/kit/overload';
import { notFound, badField } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { sendImmutable } from '../send-immutable.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';
import type { DerivedPictures } from '../mail-picture/derived.ts';
import { PICTURE_FILE, SHARED_FILE } from './files.ts';
import { limitUploads } from './limit-uploads.ts';
import type { Images } from './images.ts';
import { ImageRefused, REFUSALS } from './refusal.ts';
import { bytesOfDataUrl, receiveFile } from './upload.ts';

/** 5 MB as base64, plus the JSON around it. */
const DATA_URL_LIMIT = 7200 * 1024;

/** An account's maximum of concurrent uploads, each counted from its first byte to the response. */
const MAX_OF_ACCOUNT = 3;
/**
 * Maximum of uploads that are arriving, with the received part in memory. Also the maximum of uploads that are being
 * stored.
 */
const MAX_TOGETHER = 16;
const TOO_MANY = 'too-many-pictures';

/** Reports a refusal under the name of the form's field: `imageUrl` for an event, `image` for an upload. */
async function refusedAs<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    throw badField(field, error.code, { status: REFUSALS[error.code] });
  }
}

/** Mounted before the app's JSON parser: these bodies are larger than any other. */
export function uploadRoutes({
  images,
  stored,
  signedIn,
  internal,
}: {
  images: Images;
  stored: StoredBytes;
  signedIn: RequestHandler;
  internal: RequestHandler;
}): Router {
  const router = Router();
  // Slots are for clients that are sending. A stalled client loses its slot.
  const arriving = arrivingBodies({
    max: MAX_TOGETHER,
    senderOf: (req) => String(callerOf(req as Request).id),
    what: TOO_MANY,
  });
  const storing = gate(MAX_TOGETHER, { what: TOO_MANY });

  router.post('/internal/images', internal, limitUploads(8), jsonBody(DATA_URL_LIMIT), async (req, res) => {
    const { dataUrl, uploadedBy: id, isVerified = false, address } = StoreImageBody.parse(req.body);
    const charge = stored.charge('pictures', { account: id === undefined ? undefined : { id, isVerified }, address });
    res.status(201).json(await refusedAs('imageUrl', async () => images.store(bytesOfDataUrl(dataUrl), charge, id)));
  });

  router.post(
    '/api/images',
    signedIn,
    limitUploads(MAX_OF_ACCOUNT, (req) => String(callerOf(req).id)),
    bodiesInTime(arriving),
    async (req, res) => {
      const image = await refusedAs('image', async () => {
        const file = await receiveFile(req, 'image');
        const leave = storing.enter();
        const account = callerOf(req);
        const charge = stored.charge('pictures', { account, address: addressOf(req) });
        return images.store(file, charge, account.id).finally(leave);
      });
      res.status(201).json(image);
    },
  );

  return router;
}

export function imageRoutes(images: Images, derived: DerivedPictures, internal: RequestHandler): Router {
  const router = Router();

  router.post('/internal/images/kept', internal, async (req, res) => {
    const { url } = KeepImageBody.parse(req.body);
    const [, name] = PICTURE_FILE.exec(url.slice('/media/images/'.length)) ?? [];
    if (!name || !(await images.keep(name))) throw notFound('image');
    res.status(204).end();
  });

  router.get('/media/images/:name', async (req, res) => {
    const [, shared] = SHARED_FILE.exec(req.params.name) ?? [];
    if (shared) return sendImmutable(req, res, `${shared}-share`, () => derived.ofImage('share', shared), 'image/jpeg');
    const [, name, size] = PICTURE_FILE.exec(req.params.name) ?? [];
    if (!name || !size) throw notFound('image');
    await sendImmutable(req, res, `${name}-${size}`, async () => {
      const body = await images.read(name, size as PictureSize);
      if (!body) throw notFound('image');
      return body;
    });
  });

  return router;
}
