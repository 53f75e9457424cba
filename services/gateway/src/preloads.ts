import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RequestHandler } from 'express';

/** Written by the page's build (frontend/vite.config.ts): the first part of an address → files that this page needs. */
type PageFiles = Record<string, string[]>;

const asLink = (file: string): string =>
  file.endsWith('.css') ? `<${file}>; rel=preload; as=style` : `<${file}>; rel=modulepreload; fetchpriority=low`;

/**
 * Tells the browser with the page which scripts this page will import, so that it asks for them at once and not when the
 * first ones have run. A build without a list goes without.
 */
export function pagePreloads(folder: string): RequestHandler {
  const file = join(resolve(folder), 'page-files.json');
  let known: { built: number; links: Map<string, string> } | undefined;

  async function links(): Promise<Map<string, string>> {
    const { mtimeMs } = await stat(file);
    if (known?.built !== mtimeMs) {
      const pages = JSON.parse(await readFile(file, 'utf8')) as PageFiles;
      const texts = Object.entries(pages).map(([path, files]): [string, string] => [
        path,
        files.map(asLink).join(', '),
      ]);
      known = { built: mtimeMs, links: new Map(texts) };
    }
    return known!.links;
  }

  return async (req, res, next) => {
    const [, first = ''] = /^(\/[a-z-]*)(\/\d{1,10})?\/?$/.exec(req.path) ?? [];
    const link =
      req.method === 'GET' && first
        ? await links().then(
            (all) => all.get(first),
            () => undefined,
          )
        : undefined;
    if (link) res.append('link', link);
    next();
  };
}
