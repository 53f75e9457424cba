import type { Charge, Dispute, Refund } from './charge-objects.ts';
import type { Account, ApplicationFee, BalanceTransaction, Payout, Transfer } from './connect-objects.ts';
import type { Customer, Intent, PaymentMethod } from './objects.ts';

/** For each kind of document: the type of the document, and the type of its hidden data. */
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
