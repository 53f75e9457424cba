import type { Palette } from '../palette.ts';
import type { Random } from '@beltway/contracts/media/poster-random';

export interface Brush {
  random: Random;
  palette: Palette;
  /** Where the words begin. What is loud stays above; the two quiet tones may go on below. */
  floor: number;
}

export type Pattern = (brush: Brush) => string;
