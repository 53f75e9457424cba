import type { PayoutAccountState } from '@beltway/contracts/payments/payouts';

/**
 * One organizer's account at the card provider, and the payouts from that account to the organizer's bank. Stream
 * `payout-account-<userId>`. Amounts are in cents. Only the provider has the organizer's name, postal address and bank
 * account.
 */
export type PayoutEvent =
  /** We created the account, or found an account of ours that was not recorded. */
  | { type: 'AccountOpened'; data: { userId: number; accountId: string } }
  /** `askedAt`: when we sent the request. A response to an earlier request that arrives later changes nothing. */
  | { type: 'AccountChanged'; data: AccountFacts & { state: AccountState; askedAt: string } }
  /** `dueOn`: the day in New York on which the payout was due, as YYYY-MM-DD. At most one payout a day. */
  | { type: 'PayoutSent'; data: AccountFacts & { payoutId: string; cents: number; dueOn: string } }
  /** The bank accepted the payout, or returned the money to the account. */
  | { type: 'PayoutSettled'; data: AccountFacts & { payoutId: string; outcome: 'paid' | 'failed' } };

export type AccountState = Exclude<PayoutAccountState, 'none'>;

export interface AccountFacts {
  userId: number;
  accountId: string;
}

export type PayoutCommand =
  | ({ type: 'OpenAccount' } & AccountFacts)
  | { type: 'RecordAccount'; accountId: string; state: AccountState; askedAt: string }
  | {
      type: 'RecordPayout';
      accountId: string;
      payoutId: string;
      cents: number;
      dueOn: string;
      status: 'pending' | 'paid' | 'failed';
    };
