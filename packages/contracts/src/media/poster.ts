// No zod here: the frontend computes poster URLs without loading a schema library.

import type { PictureSize } from './pictures.ts';

/** The fields of an event that a poster shows, as in API responses and messages. */
export interface PosterEvent {
  id?: number;
  eventId?: number;
  title: string;
  location: string;
  /** ISO text. */
  eventDate: string;
  /** The last day of an event of several days. */
  eventLastDate?: string | Date | null | undefined;
  /** "19:00" */
  eventStartTime: string;
  tags: readonly string[];
}

/** Increase this when the drawing changes, because posters are cached permanently under their URLs. */
const DESIGN = 1;

/** Fourteen hex digits that change whenever a drawn field changes. */
export function posterVersion(event: PosterEvent): string {
  const { title, location, eventDate, eventLastDate, eventStartTime, tags } = event;
  const time = Date.parse(eventDate);
  const day = Number.isNaN(time) ? eventDate : new Date(time).toISOString();
  const drawn = [DESIGN, event.eventId ?? event.id, title, location, day, eventStartTime, tags];
  // The last day is added only for an event of several days, so that one-day events keep the URLs of cached posters.
  return hash(JSON.stringify(eventLastDate ? [...drawn, new Date(eventLastDate).toISOString()] : drawn));
}

/** `plain`: a poster without words, next to which the frontend writes title, day and place. */
export type PosterLook = 'titled' | 'plain';

/**
 * Path of the poster of an event without a picture: 16:10, 1280 × 800, 960 × 600 as `medium`, or 640 × 400 as `small`.
 * Any program can compute this path; the media service draws the poster at the first request.
 */
export function posterUrl(event: PosterEvent, size: PictureSize = 'large', look: PosterLook = 'titled'): string {
  const suffix = `${look === 'plain' ? '-plain' : ''}${size === 'large' ? '' : `-${size}`}`;
  return `/media/posters/${event.eventId ?? event.id}-${posterVersion(event)}${suffix}.webp`;
}

/** cyrb53 (public domain, by bryc): small, fast, and identical in browser and Node. Not secure enough for secrets. */
function hash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}
