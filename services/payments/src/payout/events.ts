import type { PayoutAccountState } from '@beltway/contracts/payments/payouts';

/**
 * One organizer's account at the card provider, and what was sent from it to their bank. Stream `payout-account-<userId>`. Amounts in
 * cents; no name, address or bank account: those are the provider's.
 */
export type PayoutEvent =
  /** It was made, or was found to have been made and forgotten. */
  | { type: 'AccountOpened'; data: { userId: number; accountId: string } }
  /** `askedAt`: when the provider was asked, so that an older answer that comes later changes nothing. */
  | { type: 'AccountChanged'; data: AccountFacts & { state: AccountState; askedAt: string } }
  /** `dueOn`: the day of New York it was due, YYYY-MM-DD. One for a day. */
  | { type: 'PayoutSent'; data: AccountFacts & { payoutId: string; cents: number; dueOn: string } }
  /** The bank took it, or sent it back: then it is in the account again. */
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
