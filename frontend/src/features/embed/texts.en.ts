import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  auto: 'As the visitor’s device',
  light: 'Light',
  dark: 'Dark',
  title: 'Your events on your own site',
  why: 'A list that keeps itself up to date. Paste this line where it should stand.',
  copied: 'Copied. Paste it into your page.',
  notCopied: 'Your browser does not let us copy. Please copy the line by hand.',
  copy: 'Copy',
  look: 'Look',
  atMost: 'Events at most',
  line: 'Line for your page',
  preview: 'Preview',
  previewOf: 'Preview of the list',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
