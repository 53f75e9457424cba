import { table } from '@beltway/kit/columns';

export const payoutAccounts = table('payout_accounts', {
  userId: 'int4',
  taskId: 'uuid',
  accountId: 'text',
  state: 'text',
  openedAt: 'timestamptz',
  readyAt: 'timestamptz?',
});

export const payouts = table('payouts', {
  payoutId: 'text',
  userId: 'int4',
  amountCents: 'int4',
  dueOn: 'text',
  status: 'text',
  sentAt: 'timestamptz',
  settledAt: 'timestamptz?',
});
