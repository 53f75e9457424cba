import { catalog } from '../i18n/catalog.ts';

const english = {
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  privacy: 'Shares someone’s private information',
  other: 'Something else',
  readers: 'The organizer and our team will review it.',
  nobodyTold: '{readers} Your report is anonymous.',
  chooseReason: 'Please choose a reason',
  whatIsWrong: 'What’s wrong with it?',
  anythingToAdd: 'Anything to add?',
  reporting: 'Reporting…',
  report: 'Report',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
