import { extname, join, resolve } from 'node:path';
import express, { Router, type RequestHandler, type Response } from 'express';
import { notFound } from '@beltway/kit/problems';

/** The same address for every release: asked for anew each time, so that no browser stays with an old one. */
const CHECKED_EACH_TIME = /[/\\](service-worker\.js|offline\.html)(\.\w+)?$/;

const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;

/** Compressed copies that the build writes beside a file (`frontend/vite.config.ts`), best first. */
const COPIES = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
];

/** Sends the files of a folder, compressed where there is a copy that the client reads. */
function files(root: string, options: { maxAge: number; immutable?: boolean }): RequestHandler[] {
  const serve = express.static(root, {
    ...options,
    index: false,
    redirect: false,
    setHeaders: (res: Response, path) => {
      res.vary('accept-encoding');
      if (CHECKED_EACH_TIME.test(path)) res.set('cache-control', 'no-cache');
      const copy = COPIES.find(({ extension }) => path.endsWith(extension));
      if (copy) res.type(extname(path.slice(0, -copy.extension.length))).set('content-encoding', copy.coding);
    },
  });
  const copies = COPIES.map(({ coding, extension }): RequestHandler => (req, res, next) => {
    if (extname(req.path) === '' || !req.acceptsEncodings(coding)) return next();
    const { url } = req;
    req.url = url.replace(/(?=\?|$)/, extension);
    serve(req, res, (error) => {
      req.url = url;
      next(error);
    });
  });
  return [...copies, serve];
}

/** The built files: those with a hash in their name for ever, the others for an hour. */
export function assets(folder: string): Router {
  const root = resolve(folder);
  const router = Router();
  router.use('/assets', files(join(root, 'assets'), { maxAge: YEAR_MS, immutable: true }), () => {
    throw notFound('file');
  });
  router.use((req, _res, next) => next(req.path.toLowerCase() === '/index.html' ? 'router' : undefined));
  router.use(files(root, { maxAge: HOUR_MS }));
  return router;
}
