import { EMBED_ORIGINS } from '@beltway/contracts/media/broadcast';

/** An address for a video element: of this site, or https elsewhere. Null for any other. */
export function videoAddress(text: string): { url: string; isOwn: boolean } | null {
  const url = parsed(text);
  if (!url) return null;
  const isOwn = url.origin === window.location.origin;
  return isOwn || url.protocol === 'https:' ? { url: url.href, isOwn } : null;
}

/** An address for a frame: of one of the sites that the gateway's policy lets in. Null for any other. */
export function frameAddress(text: string): string | null {
  const url = parsed(text);
  return url && EMBED_ORIGINS.some((origin) => origin === url.origin) ? url.href : null;
}

const parsed = (text: string): URL | null =>
  URL.canParse(text, window.location.href) ? new URL(text, window.location.href) : null;
