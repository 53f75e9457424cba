import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';
import type { RouteTable } from '../routes/table.ts';

/**
 * Compresses on the way out what is anybody's: the page, and answers that both their route and their header call
 * public. Never what is for one reader alone: beside text that another may choose, the size of a compressed secret
 * tells of it (BREACH). Less than a packet is not worth it.
 */
export const compressPublic = (table: RouteTable): RequestHandler =>
  compression({
    threshold: 1_400,
    level: 5,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    filter: (req, res) => {
      const { cache = 'private' } = table.find(req.method, req.path) ?? { cache: 'public' };
      const header = String(res.getHeader('cache-control') ?? '');
      return cache === 'public' && /\bpublic\b|^no-cache$/.test(header) && compression.filter(req, res);
    },
  });
