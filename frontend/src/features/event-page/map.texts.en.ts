import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  gettingThere: 'Getting there',
  mapOf: 'Directions to {place}<hidden> (opens a map in a new tab)</hidden>',
  walkFrom:
    '{count, plural, =0 {Right at {station} Metro} one {# minute on foot from {station} Metro} other {# minutes on foot from {station} Metro}}',
  from: 'When should you leave?',
  places: 'Places',
  fromHint: 'From a Metro station, a neighborhood or where you are',
  usePosition: 'Use my location',
  leaveBy: 'Leave by {time}',
  leaveNow: 'Leave now: you’d be {count, plural, one {# minute} other {# minutes}} late',
  noWay: 'No quick way on foot or by Metro from there. Open directions for other ways.',
  estimates: 'Estimates. Check WMATA for delays.',
} as const;
export const texts = catalog(english, { es: () => import('./map.texts.es.ts') });
