import type { MetroLine } from '@beltway/contracts/media/images';
import { groundBy, NIGHT, PAPER, SHEETS } from '@beltway/contracts/media/poster-ground';
import type { Random } from '@beltway/contracts/media/poster-random';

/** The colors that a pattern may use. */
export interface Palette {
  ground: string;
  /** Two quiet tones, close to the ground. */
  tone: string;
  tone2: string;
  /** The loudest color of the poster, and the second loudest. */
  line: string;
  second: string;
  /** Small lights: stations, windows. */
  light: string;
  text: string;
  /** A quieter text color, still readable on the ground. */
  quiet: string;
}

const BLOSSOM = '#ff9fc0';

interface Ink {
  bright: string;
  /** Two quiet tones of the line's color as a ground, and a text color that is readable on both tones. */
  deep: string;
  deeper: string;
  on: string;
}

const LINES: Record<MetroLine, Ink> = {
  red: { bright: '#e8364f', deep: '#b91a35', deeper: '#971029', on: PAPER },
  orange: { bright: '#f7931e', deep: '#e37d06', deeper: '#bd6200', on: NIGHT },
  silver: { bright: '#c3cbd1', deep: '#adb7be', deeper: '#8995a0', on: NIGHT },
  blue: { bright: '#2a9fe6', deep: '#1587cf', deeper: '#0c69a8', on: NIGHT },
  yellow: { bright: '#ffcf24', deep: '#f0b80a', deeper: '#cc9500', on: NIGHT },
  green: { bright: '#22b866', deep: '#119d52', deeper: '#0a7a3e', on: NIGHT },
};

/** Most posters have a night ground; a few have the line's color or paper white. */
export function paletteOf(line: MetroLine, random: Random): Palette {
  const { bright, deep, deeper, on } = LINES[line];
  const ground = groundBy(random);
  if (ground === 'night') {
    return {
      ground: NIGHT,
      tone: '#161e36',
      tone2: '#26304f',
      line: bright,
      second: random.chance(0.5) ? BLOSSOM : deeper,
      light: PAPER,
      text: PAPER,
      quiet: '#c4c8d6',
    };
  }
  if (ground === 'printed') {
    return {
      ground: SHEETS[line],
      tone: deep,
      tone2: deeper,
      line: NIGHT,
      second: PAPER,
      light: PAPER,
      text: on,
      quiet: on,
    };
  }
  return {
    ground: PAPER,
    tone: '#eadfca',
    tone2: '#d9cbb0',
    line: bright,
    second: NIGHT,
    light: NIGHT,
    text: NIGHT,
    quiet: '#3b4257',
  };
}
