import { categoryOf, type MetroLine } from '../catalog/categories.ts';
import { randomFrom, type Random } from './poster-random.ts';
import type { PosterEvent } from './poster.ts';

// No zod here: the frontend paints a poster's background before it loads a schema library.

export const NIGHT = '#0b1020';
export const PAPER = '#f6efe1';

/** The Metro lines' colors as poster backgrounds. */
export const SHEETS: Record<MetroLine, string> = {
  red: '#d32641',
  orange: '#f7931e',
  silver: '#c3cbd1',
  blue: '#2a9fe6',
  yellow: '#ffcf24',
  green: '#22b866',
};

export type Ground = 'night' | 'printed' | 'paper';

/**
 * A poster's background, the first random choice of its drawing: mostly night, sometimes the line's color or day paper.
 */
export function groundBy(random: Random): Ground {
  const lot = random.between(0, 1);
  return lot < 0.5 ? 'night' : lot < 0.8 ? 'printed' : 'paper';
}

/** The main color of an event's poster, `#rrggbb`, the same color that the media service draws. */
export function posterGround(event: Pick<PosterEvent, 'id' | 'eventId' | 'tags'>): string {
  const ground = groundBy(randomFrom(event.eventId ?? event.id ?? 0));
  return ground === 'night' ? NIGHT : ground === 'paper' ? PAPER : SHEETS[categoryOf(event.tags).line];
}
