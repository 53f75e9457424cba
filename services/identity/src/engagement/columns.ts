import { table } from '@beltway/kit/columns';

export const countedFacts = table('counted_facts', {
  userId: 'int4',
  kind: 'text',
  subjectId: 'int4',
  eventId: 'int4?',
  day: 'date',
  week: 'date',
  points: 'int4',
  category: 'text?',
  place: 'text?',
  basis: 'text?',
  countedAt: 'timestamptz',
});
