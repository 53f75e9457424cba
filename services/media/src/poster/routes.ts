import { Router, type Request, type Response } from 'express';
import type { PictureSize } from '@beltway/contracts/media/images';
import { SITE_SHARE_URL } from '@beltway/contracts/media/share-picture';
import { notFound } from '@beltway/kit/problems';
import type { DerivedPictures } from '../mail-picture/derived.ts';
import { sendImmutable } from '../send-immutable.ts';
import type { Posters } from './posters.ts';

export function posterRoutes(posters: Posters, derived: DerivedPictures): Router {
  const router = Router();
  const move = (res: Response, to: string) => res.set('Cache-Control', 'no-store').redirect(302, to);

  /** For link previews. */
  async function share(req: Request, res: Response, id: string, version: string): Promise<void> {
    const name = `${id}-${version}-share`;
    const found = await derived.ofPoster('share', Number(id), version);
    if ('movedTo' in found) return move(res, found.movedTo.replace(/\.webp$/, '-share.jpg'));
    await sendImmutable(req, res, name, async () => found.jpeg, 'image/jpeg');
  }

  router.get(SITE_SHARE_URL, (req, res) => sendImmutable(req, res, 'site-1-share', derived.ofSite, 'image/jpeg'));

  router.get('/media/posters/:name', async (req, res) => {
    const [, id, version, plain, , size = 'large'] =
      /^([1-9]\d{0,9})-([0-9a-f]{8,32})(-plain)?(-(small|medium))?\.webp$/.exec(req.params.name) ?? [];
    const [, eventId, latest] = /^([1-9]\d{0,9})-([0-9a-f]{8,32})-share\.jpg$/.exec(req.params.name) ?? [];
    if (eventId && latest && Number(eventId) <= 2_147_483_647) return share(req, res, eventId, latest);
    if (!id || !version || Number(id) > 2_147_483_647) throw notFound('poster');

    const found = await posters.find(Number(id), version, size as PictureSize, plain ? 'plain' : 'titled');
    if ('movedTo' in found) return move(res, found.movedTo);
    await sendImmutable(req, res, `${id}-${version}${plain ?? ''}-${size}`, async () => found.body);
  });

  return router;
}
