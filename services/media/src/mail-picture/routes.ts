import { Router } from 'express';
import { z } from 'zod';
import type { MailPicture } from '@beltway/contracts/media/images';
import { notFound } from '@beltway/kit/problems';
import type { DerivedPictures } from './derived.ts';

const POSTER = /^\/media\/posters\/([1-9]\d{0,9})-([0-9a-f]{8,32})(-plain)?(?:-(?:medium|small))?\.webp$/;
const IMAGE = /^\/media\/images\/([0-9a-f]{64}(?:-[0-9a-f]{6})?)-(?:large|medium|small)\.webp$/;

/** For our own services only: the picture of an event for mails and PDFs. */
export function mailPictureRoutes(derived: DerivedPictures): Router {
  const router = Router();

  async function poster(id: number, version: string, plain = '', hops = 1): Promise<Buffer> {
    const found = await derived.ofPoster('mail', id, version, plain);
    if ('jpeg' in found) return found.jpeg;
    const [, , latest] = POSTER.exec(found.movedTo) ?? [];
    if (!latest || hops === 0) throw notFound('poster');
    return poster(id, latest, plain, hops - 1);
  }

  /** `path` is from the catalog's `imageUrl`. 200 MailPicture; 404 if the picture is not ours. */
  router.get('/internal/mail-picture', async (req, res) => {
    const { path } = z.object({ path: z.string().max(300) }).parse(req.query);
    const [, id, version, plain] = POSTER.exec(path) ?? [];
    const [, name] = IMAGE.exec(path) ?? [];
    if (!name && !(id && version && Number(id) <= 2_147_483_647)) throw notFound('picture');
    const jpeg = name ? await derived.ofImage('mail', name) : await poster(Number(id), version!, plain);
    res.json({ jpeg: jpeg.toString('base64') } satisfies MailPicture);
  });

  return router;
}
