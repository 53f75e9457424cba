import type { QuestionCategory } from '@beltway/contracts/community';

/** What a question is about, in words. */
export const CATEGORIES: Record<QuestionCategory, string> = {
  general: 'General',
  tickets: 'Tickets',
  'getting-there': 'Getting there',
  venues: 'Venues',
  food: 'Food and drink',
  music: 'Music',
  family: 'Family',
  access: 'Accessibility',
};
