import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './launcher/settings.ts';

/**
 * `node scripts/icons.ts` draws the icons of the installed page, frontend/public/icons, from the mark (ui/mark.tsx).
 */
const folder = join(root, 'frontend', 'public', 'icons');
/**
 * Background and accent of the theme Night in ui/tokens.css. They are copied, because style sheets do not apply to a
 * PNG.
 */
const GROUND = '#0b101f';
const RING = '#f7a3c9';

/** @param share of the icon's side that the ring fills; a launcher may crop a maskable icon to a circle of 80 %. */
const icon = (size: number, share: number, corner: number): Buffer => {
  const scale = (size * share) / 28;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">` +
      `<rect width="${size}" height="${size}" rx="${size * corner}" fill="${GROUND}"/>` +
      `<g transform="translate(${size / 2} ${size / 2}) scale(${scale})"><circle r="11" fill="none" stroke="${RING}" ` +
      `stroke-width="6" stroke-dasharray="57 12.1" transform="rotate(-13)"/></g></svg>`,
  );
};

const icons = {
  'icon-192.png': icon(192, 0.68, 0.22),
  'icon-512.png': icon(512, 0.68, 0.22),
  'maskable-512.png': icon(512, 0.54, 0),
  'apple-touch-icon.png': icon(180, 0.62, 0),
};

mkdirSync(folder, { recursive: true });
for (const [name, svg] of Object.entries(icons))
  await sharp(svg).png({ palette: true, compressionLevel: 9 }).toFile(join(folder, name));
