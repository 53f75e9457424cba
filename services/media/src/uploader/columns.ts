import { table } from '@beltway/kit/columns';

export const uploaders = table('uploaders', {
  userId: 'int4',
  state: 'text',
  askedAt: 'timestamptz',
  decidedAt: 'timestamptz?',
});
