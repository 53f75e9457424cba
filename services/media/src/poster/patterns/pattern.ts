import type { Palette } from '../palette.ts';
import type { Random } from '../random.ts';

/** Fills the sheet behind the words: busy above, calm below. */
export type Pattern = (brush: { random: Random; palette: Palette }) => string;
