import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';
import type { RouteTable } from '../routes/table.ts';

/**
 * Compresses public answers: the frontend's HTML, and answers that both their route and their header declare public.
 * Personal answers are never compressed: if an attacker chooses a part of the text, the compressed size leaks secrets
 * (BREACH). Compressing answers smaller than a packet gains nothing.
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
