import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  auto: 'Match visitor’s theme',
  light: 'Light',
  dark: 'Dark',
  title: 'Your events on your website',
  why: 'A list that updates automatically. Paste this code where you want it to appear.',
  copied: 'Copied. Paste it into your page.',
  notCopied: 'Your browser blocked copying. Select the code and copy it.',
  copy: 'Copy',
  look: 'Theme',
  atMost: 'Show up to',
  line: 'Embed code',
  preview: 'Preview',
  previewOf: 'Preview of the list',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
