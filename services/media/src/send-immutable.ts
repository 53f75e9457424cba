import type { Request, Response } from 'express';

/** A WebP whose address names its content: kept by every cache for ever, and never run as anything but a picture. */
export async function sendImmutable(
  req: Request,
  res: Response,
  name: string,
  body: () => Promise<Buffer>,
): Promise<void> {
  const etag = `"${name}"`;
  const asked = req.get('if-none-match');
  const unchanged = asked?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
  const bytes = unchanged ? undefined : await body();
  res.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    // Mail, feeds and cards of other sites show these pictures.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (!bytes) {
    res.status(304).end();
    return;
  }
  res.set({ 'Content-Type': 'image/webp', 'Content-Length': String(bytes.length) });
  res.end(bytes);
}
