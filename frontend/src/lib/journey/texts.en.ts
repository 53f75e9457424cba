import { catalog } from '../i18n/catalog.ts';

const english = {
  rightHere: 'Right here',
  onFoot: 'About {count, plural, one {# minute} other {# minutes}} on foot',
  byMetro:
    'About {count, plural, one {# minute} other {# minutes}} by Metro: {line} Line from {from}{changes}, to {to}',
  change: ', change to {line}',
  red: 'Red',
  orange: 'Orange',
  silver: 'Silver',
  blue: 'Blue',
  yellow: 'Yellow',
  green: 'Green',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
