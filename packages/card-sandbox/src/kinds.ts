import type { Charge, Dispute, Refund } from './charge-objects.ts';
import type { Account, ApplicationFee, BalanceTransaction, Payout, Transfer } from './connect-objects.ts';
import type { Customer, Intent, PaymentMethod } from './objects.ts';

/** What each kind of document is, and what is hidden beside it. */
export interface Kinds {
  payment_intent: Intent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  customer: Customer;
  account: Account;
  account_link: { id: string };
  transfer: Transfer;
  application_fee: ApplicationFee;
  balance_transaction: BalanceTransaction;
  payout: Payout;
}
export type Kind = keyof Kinds;
