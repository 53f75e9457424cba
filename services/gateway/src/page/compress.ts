import { constants } from 'node:zlib';
import compression from 'compression';

/**
 * Compresses on the way out what is anybody's: public answers and the page itself. Never what is for one reader alone: beside text
 * that another may choose, the size of a compressed secret tells of it (BREACH). Less than a packet is not worth it.
 */
export const compressPublic = compression({
  threshold: 1_400,
  level: 5,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  filter: (req, res) =>
    /\bpublic\b|^no-cache$/.test(String(res.getHeader('cache-control') ?? '')) && compression.filter(req, res),
});
