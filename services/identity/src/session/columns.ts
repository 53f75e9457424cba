import { table } from '@beltway/kit/columns';

export const revokedSessions = table('revoked_sessions', {
  sessionId: 'uuid',
  userId: 'int4',
  reason: 'text',
  revokedAt: 'timestamptz',
});

export const sessions = table('sessions', {
  id: 'uuid',
  userId: 'int4',
  createdAt: 'timestamptz',
  endsAt: 'timestamptz',
  credentialId: 'uuid',
  device: 'text',
});

export const refreshTokens = table('refresh_tokens', {
  hash: 'bytea',
  sessionId: 'uuid',
  issuedAt: 'timestamptz',
  replacedAt: 'timestamptz?',
  successor: 'text?',
});
