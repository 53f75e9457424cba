import type { Request, Response } from 'express';

/** Of files whose addresses name their content: kept for ever, and never run as anything but what they are. */
export const IMMUTABLE = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
  // Mail, feeds and cards of other sites show them.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Whether the reader has this very content. */
export const isUnchanged = (req: Request, etag: string): boolean =>
  req
    .get('if-none-match')
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

/** A picture whose address names its content: kept by every cache permanently, and never run as anything but a picture. */
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
