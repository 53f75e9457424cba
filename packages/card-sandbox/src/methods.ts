import { BANK_ACCOUNT, readCard, readyMade, type CardFacts } from './cards.ts';
import { invalid, missing } from './errors.ts';
import { newPaymentMethod, type BillingDetails, type MethodHidden, type PaymentMethod } from './objects.ts';
import type { Params } from './params.ts';
import type { Tx } from './tx.ts';

/** The payment method of a call: a typed card, one of Stripe's ready-made methods, or the id of an existing method. */
export type MethodChoice = { card: CardFacts; billing: BillingDetails } | { id: string };

const noBilling: BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

function readBilling(given: Params | undefined): BillingDetails {
  if (!given) return noBilling;
  given.only('address', 'email', 'name', 'phone', 'tax_id');
  const address = given.hash('address')?.only('city', 'country', 'line1', 'line2', 'postal_code', 'state');
  const part = (name: string) => address?.text(name, 200) ?? null;
  return {
    address: {
      city: part('city'),
      country: part('country'),
      line1: part('line1'),
      line2: part('line2'),
      postal_code: part('postal_code'),
      state: part('state'),
    },
    email: given.text('email', 800) ?? null,
    name: given.text('name', 200) ?? null,
    phone: given.text('phone', 50) ?? null,
    tax_id: given.text('tax_id', 50) ?? null,
  };
}

/** Parses `type=card` with `card` and `billing_details`. Throws Stripe's card errors. */
export function readMethodData(data: Params, now: Date, secret: string): MethodChoice {
  const type = data.required('type');
  if (type !== 'card')
    throw invalid(`The payment method type "${type}" is invalid. The sandbox takes cards only.`, {
      param: 'type',
      code: 'payment_method_invalid_parameter',
    });
  const card = data.hash('card');
  if (!card) throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' });
  const token = card.text('token');
  if (token?.startsWith('tok_') && byToken[token]) {
    const ready = readyMade(byToken[token], now, secret);
    if (ready) return { card: ready, billing: readBilling(data.hash('billing_details')) };
  }
  return { card: readCard(card, now, secret), billing: readBilling(data.hash('billing_details')) };
}

const byToken: Record<string, string> = {
  tok_visa: 'pm_card_visa',
  tok_chargeDeclined: 'pm_card_chargeDeclined',
  tok_mastercard: 'pm_card_mastercard',
  tok_amex: 'pm_card_amex',
};

/** The method from `payment_method` or `payment_method_data`; undefined if both parameters are missing. */
export function readChoice(params: Params, now: Date, secret: string): MethodChoice | undefined {
  const data = params.hash('payment_method_data');
  if (data) return readMethodData(data, now, secret);
  const id = params.text('payment_method');
  if (!id) return undefined;
  const card = readyMade(id, now, secret);
  return card ? { card, billing: noBilling } : { id };
}

/** Creates a new payment method, or loads an existing one. Throws 404 if the payment method does not exist. */
export async function obtainMethod(
  tx: Tx,
  choice: MethodChoice,
): Promise<{ method: PaymentMethod; hidden: MethodHidden }> {
  if ('id' in choice && choice.id === BANK_ACCOUNT) {
    const card = readyMade('pm_card_visa_debit', tx.now, '') as CardFacts;
    const method: PaymentMethod = { ...newPaymentMethod(card, noBilling, tx.now), type: 'us_bank_account' };
    const hidden: MethodHidden = { behavior: { kind: 'settles-later' } };
    tx.put('payment_method', method, { hidden });
    return { method, hidden };
  }
  if ('id' in choice) {
    const method = await tx.get('payment_method', choice.id);
    const hidden = await tx.hidden<MethodHidden>(choice.id);
    if (!method || !hidden) throw missing('PaymentMethod', choice.id, 'payment_method');
    return { method, hidden };
  }
  const method = newPaymentMethod(choice.card, choice.billing, tx.now);
  const hidden: MethodHidden = { behavior: choice.card.behavior };
  tx.put('payment_method', method, { hidden });
  return { method, hidden };
}
