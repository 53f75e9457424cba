import type { Palette } from '../palette.ts';
import type { Random } from '@beltway/contracts/media/poster-random';

export interface Brush {
  random: Random;
  palette: Palette;
  /** The top of the text. Loud colors stay above it; the two quiet tones may continue below. */
  floor: number;
}

export type Pattern = (brush: Brush) => string;
