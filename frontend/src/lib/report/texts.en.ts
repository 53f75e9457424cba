import { catalog } from '../i18n/catalog.ts';

const english = {
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  privacy: 'Tells private things of somebody',
  other: 'Something else',
  readers: 'The organizer and the people of Beltway look at it.',
  nobodyTold: '{readers} Nobody is told that it was you.',
  chooseReason: 'Please choose a reason',
  whatIsWrong: 'What is wrong with it?',
  anythingToAdd: 'Anything to add?',
  reporting: 'Reporting…',
  report: 'Report',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
