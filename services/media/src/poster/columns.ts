import { table } from '@beltway/kit/columns';

export const posters = table('posters', {
  eventId: 'int4',
  title: 'text',
  location: 'text',
  eventDate: 'text',
  eventStartTime: 'text',
  tags: 'text[]',
  version: 'text',
  catalogVersion: 'int4',
});
