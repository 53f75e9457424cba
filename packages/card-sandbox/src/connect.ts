import type { Answer } from './decide.ts';
import { invalid, missing } from './errors.ts';
import type { Charge } from './charge-objects.ts';
import {
  newAccount,
  newApplicationFee,
  newBalanceTransaction,
  newFeeRefund,
  newPayout,
  newReversal,
  newTransfer,
  onboarded,
  type Account,
  type AccountHidden,
  type BalanceTransaction,
  type LinkHidden,
  type Outcome,
  type Transfer,
} from './connect-objects.ts';
import { newId } from './ids.ts';
import { seconds } from './objects.ts';
import type { Params } from './params.ts';
import type { Tx } from './tx.ts';

// Accounts, transfers and reversals, and the balances of the platform and its accounts, with Stripe's error messages.

const LINK_SECONDS = 300;

export function readAccount(params: Params, now: Date): Account {
  params.only('type', 'country', 'email', 'business_type', 'business_profile', 'capabilities', 'metadata', 'settings');
  if (params.oneOf('type', ['express']) !== 'express')
    throw invalid('The sandbox makes Express accounts only.', { param: 'type' });
  const capabilities = params.hash('capabilities')?.only('card_payments', 'transfers');
  const requested = (name: string) => capabilities?.hash(name)?.only('requested').flag('requested') === true;
  const profile = params.hash('business_profile')?.only('product_description', 'url');
  const payouts = params.hash('settings')?.only('payouts').hash('payouts')?.only('schedule');
  const schedule = payouts?.hash('schedule')?.only('interval', 'weekly_anchor');
  return newAccount(
    {
      country: params.text('country', 2) ?? 'US',
      email: params.text('email', 512) ?? null,
      businessType: params.oneOf('business_type', ['company', 'individual', 'non_profit']) ?? null,
      metadata: params.metadata(),
      requested: { card_payments: requested('card_payments'), transfers: requested('transfers') },
      interval: schedule?.oneOf('interval', ['manual', 'daily', 'weekly', 'monthly']) ?? 'daily',
      productDescription: profile?.text('product_description', 40_000) ?? null,
      url: profile?.text('url', 5_000) ?? null,
    },
    now,
  );
}

export function createAccount(tx: Tx, account: Account): Answer {
  tx.put('account', account, { hidden: { available: 0 } satisfies AccountHidden });
  tx.emit('account.updated', account, { account: account.id });
  return { status: 200, body: account };
}

async function accountOf(tx: Tx, id: string, param: string): Promise<Account> {
  const account = await tx.get('account', id);
  if (!account) throw missing('destination', id, param);
  return account;
}

export function readLink(params: Params) {
  params.only('account', 'type', 'refresh_url', 'return_url', 'collect', 'collection_options');
  const account = params.required('account');
  params.required('type');
  params.oneOf('type', ['account_onboarding']);
  const url = (name: string) => {
    const given = params.required(name);
    if (!/^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : ''))
      throw invalid('Not a valid URL', { code: 'url_invalid', param: name });
    return given;
  };
  return { account, returnUrl: url('return_url'), refreshUrl: url('refresh_url') };
}

/**
 * Creates a single-use account link that is valid for five minutes, like Stripe's. `base`: the sandbox's URL for the
 * browser.
 */
export async function createLink(tx: Tx, asked: ReturnType<typeof readLink>, base: string): Promise<Answer> {
  await accountOf(tx, asked.account, 'account');
  const id = newId('acl');
  const expiresAt = seconds(tx.now) + LINK_SECONDS;
  tx.put('account_link', { id }, { hidden: { ...asked, expiresAt, isUsed: false } satisfies LinkHidden });
  return {
    status: 200,
    body: {
      object: 'account_link',
      created: seconds(tx.now),
      expires_at: expiresAt,
      url: `${base}/connect/${id}`,
    },
  };
}

/** Applies the outcome of the holder's onboarding, or of the provider's review. */
export async function changeAccount(tx: Tx, id: string, outcome: Outcome): Promise<Answer> {
  const account = await tx.get('account', id);
  if (!account) throw missing('account', id);
  const changed = onboarded(account, outcome, tx.now);
  if (changed === account) return { status: 200, body: account };
  tx.put('account', changed);
  tx.emit('account.updated', changed, {
    account: id,
    previous: { details_submitted: account.details_submitted, payouts_enabled: account.payouts_enabled },
  });
  return { status: 200, body: changed };
}

/** Throws Stripe's 400 while an account may not receive transfers. */
export async function assertTransferable(tx: Tx, id: string, param: string): Promise<void> {
  const { capabilities } = await accountOf(tx, id, param);
  if (capabilities.transfers !== 'active')
    throw invalid(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer', param },
    );
}

/** Changes an account's balance. */
async function credit(tx: Tx, id: string, cents: number): Promise<void> {
  const account = await accountOf(tx, id, 'destination');
  const { available } = (await tx.hidden<AccountHidden>(id)) ?? { available: 0 };
  tx.put('account', account, { hidden: { available: available + cents } satisfies AccountHidden });
}

const availableOf = async (tx: Tx, id: string): Promise<number> => (await tx.hidden<AccountHidden>(id))?.available ?? 0;

/** Books a balance transaction of the platform. */
export function move(
  tx: Tx,
  of: { type: string; category: string; amount: number; fee?: number; source: string },
): BalanceTransaction {
  const moved = newBalanceTransaction({ fee: 0, ...of }, tx.now);
  tx.put('balance_transaction', moved);
  return moved;
}

/** Stripe's fee for a card payment in the United States: 2.9 % and 30 cents. */
const processingFee = (cents: number): number => Math.round(cents * 0.029) + 30;

export interface Destination {
  account: string;
  feeCents: number;
}

/** Books a paid charge. If the charge has a destination, transfers the whole amount there and collects the fee back. */
export async function bookCharge(tx: Tx, charge: Charge, destination: Destination | null): Promise<Charge> {
  const { id, amount, currency } = charge;
  const moved = move(tx, { type: 'charge', category: 'charge', amount, fee: processingFee(amount), source: id });
  const booked = { ...charge, balance_transaction: moved.id };
  if (!destination) return booked;
  await assertTransferable(tx, destination.account, 'transfer_data[destination]');
  const group = charge.transfer_group ?? `group_${charge.payment_intent}`;
  const transfer = await pass(tx, {
    ...{ amount, currency, destination: destination.account, group, metadata: {}, description: null },
    sourceTransaction: id,
  });
  const passed = {
    ...booked,
    transfer: transfer.id,
    transfer_group: group,
    destination: destination.account,
    transfer_data: { amount: null, destination: destination.account },
  };
  if (destination.feeCents === 0) return passed;
  const fee = newApplicationFee(charge, transfer, destination.feeCents, tx.now);
  const taken = move(tx, {
    ...{ type: 'application_fee', category: 'platform_earning', amount: fee.amount, source: fee.id },
  });
  const kept = { ...fee, balance_transaction: taken.id };
  tx.put('application_fee', kept);
  tx.emit('application_fee.created', kept);
  await credit(tx, destination.account, -fee.amount);
  return { ...passed, application_fee: fee.id, application_fee_amount: fee.amount };
}

async function pass(tx: Tx, params: Parameters<typeof newTransfer>[0]): Promise<Transfer> {
  const made = newTransfer(params, tx.now);
  const moved = move(tx, { type: 'transfer', category: 'transfer', amount: -made.amount, source: made.id });
  const transfer = { ...made, balance_transaction: moved.id };
  tx.put('transfer', transfer, { parent: params.group });
  tx.emit('transfer.created', transfer);
  await credit(tx, transfer.destination, transfer.amount);
  return transfer;
}

export function readTransfer(params: Params) {
  params.only(
    ...['amount', 'currency', 'destination', 'source_transaction', 'transfer_group', 'metadata', 'description'],
  );
  params.required('amount');
  return {
    amount: params.positive('amount') ?? 0,
    currency: params.required('currency').toLowerCase(),
    destination: params.required('destination'),
    sourceTransaction: params.text('source_transaction') ?? null,
    group: params.text('transfer_group') ?? null,
    metadata: params.metadata(),
    description: params.text('description') ?? null,
  };
}

/** Transfers money to an account; the transfers of one charge never exceed the charge's amount. */
export async function createTransfer(tx: Tx, asked: ReturnType<typeof readTransfer>): Promise<Answer> {
  await assertTransferable(tx, asked.destination, 'destination');
  if (asked.currency !== 'usd')
    throw invalid(`You cannot create a transfer in ${asked.currency}: the balance is in usd.`, { param: 'currency' });
  if (asked.sourceTransaction) {
    const charge = await tx.get('charge', asked.sourceTransaction);
    if (!charge?.paid) throw missing('charge', asked.sourceTransaction, 'source_transaction');
    const kept = (await tx.hidden<object>(charge.id)) ?? {};
    const transferred = 'transferred' in kept ? Number(kept.transferred) : charge.transfer ? charge.amount : 0;
    if (transferred + asked.amount > charge.amount)
      throw invalid(
        `Can't create a transfer that uses ${charge.id} as a source_transaction, because it would exceed the charge's amount.`,
        { param: 'amount' },
      );
    tx.put('charge', charge, { hidden: { ...kept, transferred: transferred + asked.amount } });
  }
  return { status: 200, body: await pass(tx, asked) };
}

export function readReversal(params: Params) {
  params.only('amount', 'metadata', 'description', 'refund_application_fee');
  return { amount: params.positive('amount'), metadata: params.metadata() };
}

/**
 * Reverses a transfer in full or in part. The limits are the transfer's unreversed amount and the account's balance.
 */
export async function createReversal(
  tx: Tx,
  id: string,
  asked: ReturnType<typeof readReversal>,
): Promise<Answer & { body: { id: string } }> {
  const transfer = await tx.get('transfer', id);
  if (!transfer) throw missing('transfer', id);
  const left = transfer.amount - transfer.amount_reversed;
  const amount = asked.amount ?? left;
  if (left === 0 || amount > left)
    throw invalid(`Transfer ${id} has only ${left} cents that can be reversed.`, { param: 'amount' });
  if ((await availableOf(tx, transfer.destination)) < amount)
    throw invalid('The connected account has insufficient funds to reverse this transfer.', {
      code: 'balance_insufficient',
    });
  const made = newReversal(transfer, amount, asked.metadata, tx.now);
  const moved = move(tx, { type: 'transfer_refund', category: 'transfer_reversal', amount, source: made.id });
  const reversal = { ...made, balance_transaction: moved.id };
  const reversed = {
    ...transfer,
    amount_reversed: transfer.amount_reversed + amount,
    reversed: amount === left,
    reversals: {
      ...transfer.reversals,
      data: [reversal, ...transfer.reversals.data],
      total_count: transfer.reversals.total_count + 1,
    },
  };
  tx.put('transfer', reversed);
  tx.emit('transfer.reversed', reversed);
  await credit(tx, transfer.destination, -amount);
  return { status: 200, body: reversal };
}

/** Refunds an application fee to the account in full or in part. */
export async function refundFee(tx: Tx, id: string, asked: ReturnType<typeof readReversal>): Promise<Answer> {
  const fee = await tx.get('application_fee', id);
  if (!fee) throw missing('application_fee', id);
  const left = fee.amount - fee.amount_refunded;
  const amount = asked.amount ?? left;
  if (left === 0 || amount > left)
    throw invalid(`Application fee ${id} has only ${left} cents that can be refunded.`, { param: 'amount' });
  const made = newFeeRefund(fee, amount, asked.metadata, tx.now);
  const moved = move(tx, {
    ...{ type: 'application_fee_refund', category: 'platform_earning_refund', amount: -amount, source: made.id },
  });
  const refund = { ...made, balance_transaction: moved.id };
  const refunded = {
    ...fee,
    amount_refunded: fee.amount_refunded + amount,
    refunded: amount === left,
    refunds: { ...fee.refunds, data: [refund, ...fee.refunds.data], total_count: fee.refunds.total_count + 1 },
  };
  tx.put('application_fee', refunded);
  tx.emit('application_fee.refunded', refunded);
  await credit(tx, fee.account, amount);
  return { status: 200, body: refund };
}

export function readPayout(params: Params) {
  params.only('amount', 'currency', 'metadata', 'description', 'method');
  params.required('amount');
  return {
    amount: params.positive('amount') ?? 0,
    currency: params.required('currency').toLowerCase(),
    metadata: params.metadata(),
    description: params.text('description') ?? null,
  };
}

/** Pays out money to an account's bank, at most the account's balance. */
export async function createPayout(
  tx: Tx,
  account: string | undefined,
  asked: ReturnType<typeof readPayout>,
): Promise<Answer> {
  if (!account) throw invalid('The sandbox pays out for connected accounts only.');
  const { payouts_enabled, external_accounts } = await accountOf(tx, account, 'account');
  const bank = external_accounts.data[0] as { id: string } | undefined;
  if (!payouts_enabled || !bank)
    throw invalid('Cannot create payouts: this account has payouts disabled.', { code: 'payouts_not_allowed' });
  if ((await availableOf(tx, account)) < asked.amount)
    throw invalid('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
    });
  const payout = newPayout({ ...asked, destination: bank.id }, tx.now);
  tx.put('payout', payout, { parent: account });
  tx.emit('payout.created', payout, { account });
  await credit(tx, account, -asked.amount);
  return { status: 200, body: payout };
}

/** Records whether the bank accepted or returned the payout. */
export async function settlePayout(tx: Tx, id: string, outcome: 'paid' | 'failed', account: string): Promise<Answer> {
  const payout = await tx.get('payout', id);
  if (!payout) throw missing('payout', id);
  if (payout.status === outcome || payout.status === 'failed') throw invalid(`This payout is ${payout.status}.`);
  const settled = {
    ...payout,
    status: outcome,
    ...(outcome === 'failed' && {
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed',
    }),
  };
  tx.put('payout', settled);
  tx.emit(`payout.${outcome}`, settled, { account });
  if (outcome === 'failed') await credit(tx, account, payout.amount);
  return { status: 200, body: settled };
}
