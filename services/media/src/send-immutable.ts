import type { Request, Response } from 'express';

/** Headers of files whose URLs identify their content: cached permanently, and never interpreted as another type. */
export const IMMUTABLE = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
  // Lets mails, feeds and link cards on other sites show the files.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Whether the client already has this content. */
export const isUnchanged = (req: Request, etag: string): boolean =>
  req
    .get('if-none-match')
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

/**
 * Sends a picture whose URL identifies its content. Caches keep the picture permanently and never interpret it as
 * another type.
 */
export async function sendImmutable(
  req: Request,
  res: Response,
  name: string,
  body: () => Promise<Buffer>,
  type = 'image/webp',
): Promise<void> {
  const etag = `"${name}"`;
  const bytes = isUnchanged(req, etag) ? undefined : await body();
  res.set({ ...IMMUTABLE, ETag: etag });
  if (!bytes) {
    res.status(304).end();
    return;
  }
  res.set({ 'Content-Type': type, 'Content-Length': String(bytes.length) });
  res.end(bytes);
}
