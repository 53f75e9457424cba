import { table } from '@beltway/kit/columns';

export const totpFactors = table('totp_factors', {
  userId: 'int4',
  secretId: 'uuid',
  turnedOnAt: 'timestamptz',
  lastStep: 'int4',
  recoveryCodesLeft: 'int4',
});

export const totpSecrets = table('totp_secrets', {
  id: 'uuid',
  userId: 'int4',
  sealed: 'text',
  createdAt: 'timestamptz',
});

export const totpChallenges = table('totp_challenges', {
  hash: 'bytea',
  userId: 'int4',
  credentialId: 'uuid',
  tries: 'int4',
  madeAt: 'timestamptz',
});
