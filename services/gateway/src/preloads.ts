import type { RequestHandler } from 'express';
import type { Built } from './page/built.ts';

const asLink = (file: string): string =>
  file.endsWith('.css') ? `<${file}>; rel=preload; as=style` : `<${file}>; rel=modulepreload; fetchpriority=low`;

/**
 * Lists the scripts that a page will import in the page's `Link` header. The browser then fetches them immediately, not
 * only after the first scripts have run.
 */
export const pagePreloads =
  (built: () => Promise<Built>): RequestHandler =>
  async (req, res, next) => {
    const [, first = ''] = /^(\/[a-z-]*)(\/\d{1,10})?\/?$/.exec(req.path) ?? [];
    if (req.method === 'GET' && first) {
      const { files } = await built();
      if (Object.hasOwn(files, first)) res.append('link', files[first]!.map(asLink).join(', '));
    }
    next();
  };
