import { table } from '@beltway/kit/columns';

export const auditEntries = table('audit_entries', {
  stream: 'text',
  version: 'int4',
  accountId: 'int4',
  kind: 'text',
  subject: 'text',
  note: 'text',
  at: 'timestamptz',
});
