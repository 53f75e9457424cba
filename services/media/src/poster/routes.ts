import { Router } from 'express';
import type { PictureSize } from '@beltway/contracts/media';
import { notFound } from '@beltway/kit/problems';
import { sendImmutable } from '../send-immutable.ts';
import type { Posters } from './posters.ts';

export function posterRoutes(posters: Posters): Router {
  const router = Router();

  router.get('/media/posters/:name', async (req, res) => {
    const [, id, version, plain, , size = 'large'] =
      /^([1-9]\d{0,9})-([0-9a-f]{8,32})(-plain)?(-(small|medium))?\.webp$/.exec(req.params.name) ?? [];
    if (!id || !version || Number(id) > 2_147_483_647) throw notFound('This poster');

    const found = await posters.find(Number(id), version, size as PictureSize, plain ? 'plain' : 'titled');
    if ('movedTo' in found) {
      res.set('Cache-Control', 'no-store').redirect(302, found.movedTo);
      return;
    }
    await sendImmutable(req, res, `${id}-${version}${plain ?? ''}-${size}`, async () => found.body);
  });

  return router;
}
