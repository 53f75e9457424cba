import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import express, { Router, type RequestHandler, type Response } from 'express';
import { notFound } from '@beltway/kit/problems';

const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;

type Coding = 'br' | 'gzip';
const TEXTS: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
/** Not worth it below; not kept in memory above. */
const [SMALLEST, LARGEST] = [512, 4_194_304];

const pack: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  // 9 of 11: within 3 % of the smallest, in a tenth of its time. Once per file and build.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

/** Sends text files of a folder compressed: each is compressed when it is first asked for, and kept until it changes. */
function compressed(root: string, cacheControl: string): RequestHandler {
  const kept = new Map<string, { version: string; body: Promise<Buffer> }>();
  return async (req, res, next) => {
    const type = TEXTS[extname(req.path)];
    if (!type || (req.method !== 'GET' && req.method !== 'HEAD') || !/^(\/[\w-][\w.-]*)+$/.test(req.path))
      return next();
    res.vary('accept-encoding');
    const coding = (['br', 'gzip'] as const).find((each) => req.acceptsEncodings(each));
    const file = join(root, req.path);
    const facts = coding && (await stat(file).catch(() => undefined));
    if (!coding || !facts?.isFile() || facts.size < SMALLEST || facts.size > LARGEST) return next();

    const version = `"${facts.size.toString(16)}-${Math.floor(facts.mtimeMs).toString(16)}-${coding}"`;
    const key = `${coding} ${file}`;
    let entry = kept.get(key);
    if (entry?.version !== version) {
      entry = { version, body: readFile(file).then(pack[coding]) };
      kept.set(key, entry);
      entry.body.catch(() => kept.delete(key));
    }
    res.set({ 'cache-control': cacheControl, 'content-type': type, 'content-encoding': coding, etag: version });
    res.send(await entry.body);
  };
}

/** The built files: those with a hash in their name for ever, the others for an hour. */
export function assets(folder: string): Router {
  const root = resolve(folder);
  const router = Router();
  const setHeaders = (res: Response, path: string) => void (TEXTS[extname(path)] && res.vary('accept-encoding'));
  const common = { index: false, redirect: false, setHeaders } as const;
  router.use(
    '/assets',
    compressed(join(root, 'assets'), 'public, max-age=31536000, immutable'),
    express.static(join(root, 'assets'), { ...common, immutable: true, maxAge: YEAR_MS }),
    () => {
      throw notFound('This file');
    },
  );
  router.use((req, _res, next) => next(req.path.toLowerCase() === '/index.html' ? 'router' : undefined));
  router.use(compressed(root, 'public, max-age=3600'), express.static(root, { ...common, maxAge: HOUR_MS }));
  return router;
}
