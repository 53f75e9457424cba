import type { Charge, Dispute, Refund } from './charge-objects.ts';
import type { Customer, Intent, PaymentMethod } from './objects.ts';

/** What each kind of document is, and what is hidden beside it. */
export interface Kinds {
  payment_intent: Intent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  customer: Customer;
}
export type Kind = keyof Kinds;
