import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';
import { loadSharp } from '../workers/sharp.ts';

/** The colors of services/media/PRODUCT.md#top-picks: background and mark. */
const LOOKS: Record<VideoCategory, [ground: string, mark: string]> = {
  event: ['#151a2d', '#ff9fc0'],
  venue: ['#0c2a44', '#2a9fe6'],
  highlight: ['#3a2206', '#f7931e'],
  announcement: ['#3a0f1a', '#ff6b7f'],
};

/** A plain thumbnail for a video without a usable frame: Beltway's ring around a triangle. PNG, 1280 × 720. */
export async function renderCover(category: VideoCategory): Promise<Buffer> {
  const [ground, mark] = LOOKS[category];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 1280 720">
    <rect width="1280" height="720" fill="${ground}"/>
    <path d="M 753 201 A 190 190 0 1 1 640 170" fill="none" stroke="${mark}" stroke-width="36" stroke-linecap="round"/>
    <path d="M 590 268 L 740 360 L 590 452 Z" fill="${mark}"/></svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
