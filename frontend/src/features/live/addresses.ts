import { EMBED_ORIGINS } from '@beltway/contracts/media/broadcast';

/** The URL for a video element: any URL of this site, or an https URL of another site. Null for any other text. */
export function videoAddress(text: string): { url: string; isOwn: boolean } | null {
  const url = parsed(text);
  if (!url) return null;
  const isOwn = url.origin === window.location.origin;
  return isOwn || url.protocol === 'https:' ? { url: url.href, isOwn } : null;
}

/** The URL for a frame, if the gateway's content policy allows the URL's site; otherwise null. */
export function frameAddress(text: string): string | null {
  const url = parsed(text);
  return url && EMBED_ORIGINS.some((origin) => origin === url.origin) ? url.href : null;
}

const parsed = (text: string): URL | null =>
  URL.canParse(text, window.location.href) ? new URL(text, window.location.href) : null;
