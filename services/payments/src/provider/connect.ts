import type Stripe from 'stripe';
import { z } from 'zod';
import type { AccountState } from '../payout/events.ts';
import type { MoveCommand, PaymentTerms } from '../payment/events.ts';
import { codeOf } from './faults.ts';
import { idOf } from './objects.ts';

const metadata = z.record(z.string(), z.string()).nullish();
const texts = z.array(z.string()).nullish();

const Account = z.object({
  object: z.literal('account'),
  id: z.string(),
  capabilities: z.object({ transfers: z.string().nullish() }).nullish(),
  details_submitted: z.boolean().nullish(),
  payouts_enabled: z.boolean().nullish(),
  requirements: z
    .object({
      disabled_reason: z.string().nullish(),
      currently_due: texts,
      past_due: texts,
      pending_verification: texts,
    })
    .nullish(),
  metadata,
});
type Account = z.infer<typeof Account>;

/** Seconds since 1970. */
const created = z.int();
const Moved = z.object({ id: z.string(), amount: z.int(), created });

const Transfer = z.object({
  object: z.literal('transfer'),
  id: z.string(),
  created,
  amount: z.int(),
  amount_reversed: z.int(),
  destination: idOf.nullish(),
  reversals: z.object({ data: z.array(Moved), has_more: z.boolean() }),
  source_transaction: idOf.nullish(),
  metadata,
});

const Fee = z.object({
  object: z.literal('application_fee'),
  id: z.string(),
  amount: z.int(),
  amount_refunded: z.int(),
  refunds: z.object({ data: z.array(Moved), has_more: z.boolean() }),
});

const ChargeOfIntent = z.object({
  latest_charge: z.looseObject({ id: z.string(), application_fee: idOf.nullish() }).nullish(),
});

const Payout = z.object({
  object: z.literal('payout'),
  id: z.string(),
  amount: z.int(),
  status: z.string(),
  metadata,
});

const BalanceTransaction = z.object({
  object: z.literal('balance_transaction'),
  id: z.string(),
  fee: z.int(),
  source: z.union([z.string(), z.looseObject({ id: z.string(), payment_intent: idOf.nullish() })]).nullish(),
});

/** The provider's report on an organizer's account. `userId`: the account's owner, if we created the account. */
export interface AccountReport {
  accountId: string;
  state: AccountState;
  userId: number | null;
}

/** All moves between the platform and an organizer's account for one payment, from the provider. */
export interface Moves {
  chargeId: string | null;
  /** The id of the fee of a charge that transferred the share automatically. */
  feeId: string | null;
  transfers: Array<{ id: string; leftCents: number }>;
  commands: MoveCommand[];
  /** The cents of the payment in the account after all moves. */
  netCents: number;
  /** When the last move was made; null if there is none. */
  newestAt: Date | null;
}

export interface PayoutReport {
  payoutId: string;
  cents: number;
  status: 'pending' | 'paid' | 'failed';
  /** The payout day for which we made this payout; null if we did not make it. */
  dueOn: string | null;
}

/** The provider's fee for one payment. */
export interface FeeReport {
  transactionId: string;
  paymentId: string | null;
  cents: number;
}

/** The provider's calls about organizers' accounts, with the same bounds and faults as `Provider`. */
export interface ConnectProvider {
  /**
   * Creates an Express account for one of our users. The same idempotency key returns the same account. We trigger the
   * payouts of the account.
   */
  openAccount(user: { id: number; email: string }, key: string): Promise<AccountReport>;
  account(accountId: string): Promise<AccountReport>;
  /** Returns the URL of the provider's onboarding page, which is valid for a few minutes and one visit. */
  accountLink(accountId: string, pages: { returnUrl: string; refreshUrl: string }): Promise<string>;
  /** Creates the provider's customer for a buyer and returns its id. */
  openCustomer(userId: number): Promise<string>;
  movesOf(terms: Pick<PaymentTerms, 'id' | 'paymentId'>): Promise<Moves>;
  /**
   * Moves a share to an organizer's account. With `chargeId`, the money comes from that charge, even if the charge has
   * not settled yet.
   */
  transfer(
    terms: PaymentTerms,
    share: { cents: number; destination: string; chargeId: string | null },
    key: string,
  ): Promise<MoveCommand>;
  reverse(terms: PaymentTerms, of: { transferId: string; cents: number }, key: string): Promise<MoveCommand>;
  returnFee(terms: PaymentTerms, of: { feeId: string; cents: number }, key: string): Promise<MoveCommand>;
  /**
   * The provider's fees after the balance transaction `after`, oldest first, at most a hundred. Read in pages like
   * `events`.
   */
  fees(
    lagSeconds: number,
    after: string | null,
  ): Promise<{ reports: FeeReport[]; last: string | null; isFull: boolean }>;
  /** The cents that an account can pay out now. */
  available(accountId: string): Promise<number>;
  payOut(accountId: string, payout: { cents: number; dueOn: string }, key: string): Promise<PayoutReport>;
  /** The account's newest hundred payouts. */
  payoutsOf(accountId: string): Promise<PayoutReport[]>;
}

const MAX_FIRST_PAGES = 50;
/**
 * A metadata key that only we use. Other products on the same platform also use numeric user ids, and with a shared key
 * we would pay the wrong account.
 */
const USER = 'beltwayUserId';
const DUE_ON = 'dueOn';
const PAYMENT = 'orderId';

/** The state of an onboarding. `ready` only when money can both arrive and be paid out to the bank. */
function stateOf({ capabilities, details_submitted, payouts_enabled, requirements }: Account): AccountState {
  if (capabilities?.transfers === 'active' && payouts_enabled) return 'ready';
  if (requirements?.disabled_reason?.startsWith('rejected')) return 'rejected';
  if (!details_submitted) return 'onboarding';
  const isDue = (requirements?.currently_due?.length ?? 0) + (requirements?.past_due?.length ?? 0) > 0;
  return isDue ? 'restricted' : 'review';
}

/** Parses an account of the provider. Throws for an unknown shape. */
function reportOf(object: unknown): AccountReport {
  const account = Account.parse(object);
  const userId = Number(account.metadata?.[USER]);
  return {
    accountId: account.id,
    state: stateOf(account),
    userId: Number.isInteger(userId) && userId > 0 ? userId : null,
  };
}

function payoutReport(object: unknown): PayoutReport {
  const { id, amount, status, metadata: kept } = Payout.parse(object);
  const outcome = status === 'paid' ? 'paid' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
  return { payoutId: id, cents: amount, status: outcome, dueOn: kept?.[DUE_ON] ?? null };
}

export function connectProvider(
  stripe: Stripe,
  call: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): ConnectProvider {
  const moveOf = ({ paymentId }: Pick<PaymentTerms, 'paymentId'>, cents: number) => ({ paymentId, cents });
  const ofPayment = ({ id }: PaymentTerms) => ({ [PAYMENT]: id });

  return {
    openAccount: ({ id, email }, key) =>
      call('open-account', async () =>
        reportOf(
          await stripe.accounts.create(
            {
              type: 'express',
              country: 'US',
              email,
              business_profile: { product_description: 'Tickets for events' },
              capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
              // The provider's own schedule has no minimum, so we trigger payouts (`work/send-payouts.ts`).
              settings: { payouts: { schedule: { interval: 'manual' } } },
              metadata: { [USER]: String(id) },
            },
            { idempotencyKey: key },
          ),
        ),
      ),

    account: (accountId) => call('account', async () => reportOf(await stripe.accounts.retrieve(accountId))),

    accountLink: (account, { returnUrl, refreshUrl }) =>
      call('account-link', async () => {
        const link = await stripe.accountLinks.create({
          ...{ account, type: 'account_onboarding', return_url: returnUrl, refresh_url: refreshUrl },
          collection_options: { fields: 'eventually_due' },
        });
        return link.url;
      }),

    openCustomer: (userId) =>
      call('open-customer', async () => {
        // Sends only our user id. The request with this idempotency key then stays the same when the buyer's data
        // changes.
        const customer = await stripe.customers.create(
          { metadata: { [USER]: String(userId) } },
          { idempotencyKey: `beltway-customer-${userId}` },
        );
        return customer.id;
      }),

    movesOf: (terms) =>
      call('moves', async () => {
        const intent = ChargeOfIntent.parse(
          await stripe.paymentIntents.retrieve(terms.paymentId, { expand: ['latest_charge'] }),
        );
        const chargeId = intent.latest_charge?.id ?? null;
        const feeId = intent.latest_charge?.application_fee ?? null;
        const { data } = await stripe.transfers.list({ transfer_group: terms.id, limit: 100 });
        const transfers = data.map((transfer) => Transfer.parse(transfer));
        const commands: MoveCommand[] = [];
        let netCents = transfers.reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0);
        const madeAt = transfers.map((transfer) => transfer.created);
        for (const { id, amount, destination, metadata: kept, reversals } of transfers) {
          // The charge's own transfer has no metadata and is skipped, because it was already recorded with the charge.
          if (kept?.[PAYMENT] === terms.id)
            commands.push({
              ...{ type: 'RecordTransfer', ...moveOf(terms, amount), transferId: id, destination: destination ?? '' },
            });
          const all = reversals.has_more
            ? (await stripe.transfers.listReversals(id, { limit: 100 })).data
            : reversals.data;
          for (const reversal of all)
            commands.push({
              ...{ type: 'RecordReversal', ...moveOf(terms, reversal.amount) },
              ...{ reversalId: reversal.id, transferId: id },
            });
          madeAt.push(...all.map((reversal) => reversal.created));
        }
        if (feeId !== null) {
          const fee = Fee.parse(await stripe.applicationFees.retrieve(feeId));
          const returned = fee.refunds.has_more
            ? (await stripe.applicationFees.listRefunds(feeId, { limit: 100 })).data
            : fee.refunds.data;
          for (const { id, amount } of returned)
            commands.push({ type: 'RecordFeeReturn', ...moveOf(terms, amount), feeRefundId: id });
          netCents -= fee.amount - fee.amount_refunded;
          madeAt.push(...returned.map((refund) => refund.created));
        }
        const left = transfers.map(({ id, amount, amount_reversed }) => ({ id, leftCents: amount - amount_reversed }));
        const newestAt = madeAt.length === 0 ? null : new Date(Math.max(...madeAt) * 1_000);
        return { chargeId, feeId, transfers: left, commands, netCents, newestAt };
      }),

    transfer: (terms, { cents, destination, chargeId }, key) =>
      call('transfer', async () => {
        const { id, amount } = await stripe.transfers.create(
          {
            amount: cents,
            currency: 'usd',
            destination,
            transfer_group: terms.id,
            metadata: ofPayment(terms),
            ...(chargeId !== null && { source_transaction: chargeId }),
          },
          { idempotencyKey: key },
        );
        return { type: 'RecordTransfer', ...moveOf(terms, amount), transferId: id, destination };
      }),

    reverse: (terms, { transferId, cents }, key) =>
      call('reverse', async () => {
        const { id, amount } = await stripe.transfers.createReversal(
          transferId,
          { amount: cents, metadata: ofPayment(terms) },
          { idempotencyKey: key },
        );
        return { type: 'RecordReversal', ...moveOf(terms, amount), reversalId: id, transferId };
      }),

    returnFee: (terms, { feeId, cents }, key) =>
      call('return-fee', async () => {
        const { id, amount } = await stripe.applicationFees.createRefund(
          feeId,
          { amount: cents, metadata: ofPayment(terms) },
          { idempotencyKey: key },
        );
        return { type: 'RecordFeeReturn', ...moveOf(terms, amount), feeRefundId: id };
      }),

    fees: (lagSeconds, after) =>
      call('fees', async () => {
        const asked = {
          limit: 100,
          created: { lte: Math.floor(Date.now() / 1000) - lagSeconds },
          expand: ['data.source'],
        };
        const page = await stripe.balanceTransactions.list({
          ...asked,
          ...(after !== null && { ending_before: after }),
        });
        const { data } = page;
        // The provider lists the newest transactions first. Without `after`, reads back to the oldest transaction,
        // within the limit.
        for (let pages = 1, more = after === null && page.has_more; more && pages < MAX_FIRST_PAGES; pages++) {
          const before = await stripe.balanceTransactions.list({ ...asked, starting_after: data.at(-1)?.id ?? '' });
          data.push(...before.data);
          more = before.has_more;
        }
        const oldestFirst = data.map((one) => BalanceTransaction.parse(one)).reverse();
        const reports = oldestFirst.flatMap(({ id, fee, source }): FeeReport[] =>
          fee === 0
            ? []
            : [
                {
                  transactionId: id,
                  cents: fee,
                  paymentId: (typeof source === 'string' ? null : source?.payment_intent) ?? null,
                },
              ],
        );
        return { reports, last: oldestFirst.at(-1)?.id ?? null, isFull: after !== null && data.length === 100 };
      }),

    available: (accountId) =>
      call('balance', async () => {
        const { available } = await stripe.balance.retrieve({}, { stripeAccount: accountId });
        return available.find(({ currency }) => currency === 'usd')?.amount ?? 0;
      }),

    payOut: (accountId, { cents, dueOn }, key) =>
      call('pay-out', async () =>
        payoutReport(
          await stripe.payouts.create(
            { amount: cents, currency: 'usd', metadata: { [DUE_ON]: dueOn } },
            { stripeAccount: accountId, idempotencyKey: key },
          ),
        ),
      ),

    payoutsOf: (accountId) =>
      call('payouts', async () =>
        (await stripe.payouts.list({ limit: 100 }, { stripeAccount: accountId })).data.map(payoutReport),
      ),
  };
}

/**
 * Whether the organizer's account cannot receive the share now, so that the charge must be made without that account.
 */
export const isDestinationFault = (error: unknown): boolean => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(cause);
  return code !== undefined && DESTINATION_CODES.has(code);
};
const DESTINATION_CODES = new Set([
  'insufficient_capabilities_for_transfer',
  'account_invalid',
  'transfers_not_allowed',
]);
