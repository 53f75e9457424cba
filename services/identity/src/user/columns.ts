import { table } from '@beltway/kit/columns';

/** What the projection writes of an account; what it has beside that are defaults. */
export const users = table('users', {
  id: 'int4',
  email: 'text',
  credentialId: 'uuid',
  name: 'text',
  role: 'text',
  generation: 'int4',
  generationRaisedAt: 'timestamptz?',
  emailVerifiedAt: 'timestamptz?',
  createdAt: 'timestamptz',
  suspendedAt: 'timestamptz?',
  suspendedUntil: 'timestamptz?',
});

/** Whose account was erased. */
export const erasedUsers = table('erased_users', { userId: 'int4', generation: 'int4', erasedAt: 'timestamptz' });
