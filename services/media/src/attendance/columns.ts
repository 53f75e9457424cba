import { table } from '@beltway/kit/columns';

export const galleryEvents = table('gallery_events', {
  eventId: 'int4',
  title: 'text',
  startsAt: 'timestamptz',
  status: 'text',
  catalogVersion: 'int4',
});
