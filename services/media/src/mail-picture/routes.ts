import { Router } from 'express';
import { z } from 'zod';
import type { MailPicture } from '@beltway/contracts/media';
import type { Objects } from '@beltway/kit/objects';
import { notFound } from '@beltway/kit/problems';
import { mailImageKey, type Images } from '../image/images.ts';
import type { Posters } from '../poster/posters.ts';
import { singleFlight } from '@beltway/kit/single-flight';
import type { ImageWorkerPool } from '../workers/pool.ts';

interface Deps {
  images: Images;
  posters: Posters;
  objects: Objects;
  workers: ImageWorkerPool;
}

const POSTER = /^\/media\/posters\/([1-9]\d{0,9})-([0-9a-f]{8,32})(-plain)?(?:-(?:medium|small))?\.webp$/;
const IMAGE = /^\/media\/images\/([0-9a-f]{64}(?:-[0-9a-f]{6})?)-(?:large|medium|small)\.webp$/;

/** For our own services: the picture of an event for mails and paper. Shrunk once, and kept under the name of what it was made of. */
export function mailPictureRoutes({ images, posters, objects, workers }: Deps): Router {
  const router = Router();
  const once = singleFlight<Buffer>();

  async function kept(key: string, source: () => Promise<Buffer>, isThere = async () => true): Promise<Buffer> {
    const found = await objects.get(key);
    if (found) return found;
    return once(key, async () => {
      const jpeg = await workers.forMail(await source());
      await objects.put(key, jpeg);
      // It was deleted meanwhile, and what was made of it goes too.
      if (!(await isThere())) await objects.delete(key);
      return jpeg;
    });
  }

  async function poster(id: number, version: string, plain = '', hops = 1): Promise<Buffer> {
    const found = await posters.find(id, version, 'small', plain ? 'plain' : 'titled');
    if ('body' in found) return kept(`mail/posters/${id}-${version}${plain}.jpg`, async () => found.body);
    // The event looks otherwise by now.
    const [, , latest] = POSTER.exec(found.movedTo) ?? [];
    if (!latest || hops === 0) throw notFound('This poster');
    return poster(id, latest, plain, hops - 1);
  }

  const image = (name: string) =>
    kept(
      mailImageKey(name),
      async () => {
        // Kept first: whatever ends in between leaves no file that the sweep does not find.
        const body = (await images.keep(name)) && (await images.read(name, 'small'));
        if (!body) throw notFound('This image');
        return body;
      },
      async () => (await images.read(name, 'small')) !== null,
    );

  /** `path` as the catalog's `imageUrl` has it. 200 MailPicture; 404 for what is no picture of ours. */
  router.get('/internal/mail-picture', async (req, res) => {
    const { path } = z.object({ path: z.string().max(300) }).parse(req.query);
    const [, id, version, plain] = POSTER.exec(path) ?? [];
    const [, name] = IMAGE.exec(path) ?? [];
    if (!name && !(id && version && Number(id) <= 2_147_483_647)) throw notFound('This picture');
    const jpeg = name ? await image(name) : await poster(Number(id), version!, plain);
    res.json({ jpeg: jpeg.toString('base64') } satisfies MailPicture);
  });

  return router;
}
