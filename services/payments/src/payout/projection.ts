import { uuidFrom, type Projection } from '@beltway/event-store';
import { payoutAccounts, payouts } from '../generated/tables.ts';
import type { PayoutEvent } from './events.ts';

const OPENED = payoutAccounts.insert(['userId', 'taskId', 'accountId', 'state', 'openedAt']);
const CHANGED = payoutAccounts.update('userId', ['state']);
const READY = payoutAccounts.update('userId', ['state', 'readyAt']);
const SENT = payouts.insert(['payoutId', 'userId', 'amountCents', 'dueOn', 'status', 'sentAt']);
const SETTLED = payouts.update('payoutId', ['status', 'settledAt']);

/** The key of an account's worker tasks. */
export const taskIdOf = (userId: number): string => uuidFrom(`payout-account\0${userId}`);

/** Current accounts and payouts. Uses one statement per event, because an account has few events. */
export const projectPayouts: Projection<PayoutEvent> = (sql, group) => {
  for (const { type, data, occurredAt } of group)
    switch (type) {
      case 'AccountOpened': {
        const { userId, accountId } = data;
        const row = { userId, taskId: taskIdOf(userId), accountId, state: 'onboarding', openedAt: occurredAt };
        sql.query(OPENED.text, OPENED.values(row));
        break;
      }
      case 'AccountChanged': {
        const { userId, state } = data;
        if (state === 'ready') sql.query(READY.text, READY.values({ userId, state, readyAt: occurredAt }));
        else sql.query(CHANGED.text, CHANGED.values({ userId, state }));
        break;
      }
      case 'PayoutSent': {
        const { payoutId, userId, cents, dueOn } = data;
        const row = { payoutId, userId, amountCents: cents, dueOn, status: 'pending', sentAt: occurredAt };
        sql.query(SENT.text, SENT.values(row));
        break;
      }
      case 'PayoutSettled':
        sql.query(
          SETTLED.text,
          SETTLED.values({ payoutId: data.payoutId, status: data.outcome, settledAt: occurredAt }),
        );
        break;
    }
};

export const payoutTables = ['payout_accounts', 'payouts'];
