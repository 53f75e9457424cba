import { extname, join, resolve } from 'node:path';
import express, { Router, type RequestHandler, type Response } from 'express';
import { notFound } from '@beltway/kit/problems';

/** Files with the same URL in every release. Browsers revalidate them each time, so that they keep no old file. */
const CHECKED_EACH_TIME = /[/\\](service-worker\.js|offline\.html)(\.\w+)?$/;

const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;

/** Extensions of the compressed copies that the build writes beside a file (`frontend/vite.config.ts`), best first. */
const COPIES = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
];

/** Serves a folder's files. Sends a compressed copy if there is one that the client accepts. */
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

/** Serves the built files. They are cached permanently if their name has a hash, otherwise for an hour. */
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
