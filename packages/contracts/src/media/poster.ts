// No zod here: the page computes poster addresses, and should not load a schema library for it.

import type { PictureSize } from './pictures.ts';

/** What a poster is drawn from; an event as the API answers it, or as the bus tells of it. */
export interface PosterEvent {
  id?: number;
  eventId?: number;
  title: string;
  location: string;
  /** ISO text. */
  eventDate: string;
  /** "19:00" */
  eventStartTime: string;
  tags: readonly string[];
}

/** Raised when the drawing changes: posters are cached for ever under their address. */
const DESIGN = 1;

/** Fourteen hex digits; changes when anything that is drawn changes. */
export function posterVersion(event: PosterEvent): string {
  const { title, location, eventDate, eventStartTime, tags } = event;
  const time = Date.parse(eventDate);
  const day = Number.isNaN(time) ? eventDate : new Date(time).toISOString();
  return hash(JSON.stringify([DESIGN, event.eventId ?? event.id, title, location, day, eventStartTime, tags]));
}

/** `plain`: without words, for a place where title, day and place stand beside it. */
export type PosterLook = 'titled' | 'plain';

/**
 * Where the poster of an event without a picture is: 16:10, 1280 × 800, 960 × 600 as `medium`, or 640 × 400 as `small`. Anybody can work it out; the
 * media service draws it when it is first asked for.
 */
export function posterUrl(event: PosterEvent, size: PictureSize = 'large', look: PosterLook = 'titled'): string {
  const suffix = `${look === 'plain' ? '-plain' : ''}${size === 'large' ? '' : `-${size}`}`;
  return `/media/posters/${event.eventId ?? event.id}-${posterVersion(event)}${suffix}.webp`;
}

/** cyrb53 (public domain, by bryc): small, quick, the same in browser and Node. Not for secrets. */
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
