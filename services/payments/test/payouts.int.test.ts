import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertPage } from '@beltway/contracts/payments/payments';
import type { Payouts } from '@beltway/contracts/payments/payouts';
import { metricsText } from '@beltway/kit/metrics';
import { invariants } from '../src/invariants.ts';
import { showMoney } from '../src/metrics.ts';
import { rebuild } from '../src/rebuild.ts';
import { checkAccounts } from '../src/work/payout-accounts.ts';
import { bookProviderFees } from '../src/work/provider-fees.ts';
import { sendPayouts } from '../src/work/send-payouts.ts';
import { settleShares } from '../src/work/shares.ts';
import { forgiveUnfulfilled, ordersOf, type Orders, type Paid } from './orders.ts';
import { startStack, type Stack } from './stack.ts';

let stack: Stack;
let orders: Orders;
beforeAll(async () => {
  stack = await startStack();
  orders = ordersOf(stack);
});
afterAll(() => stack.stop());

const NOW = { pauseMs: 0, maxPauseMs: 0 };
let lastOrganizer = 1_000;
const anOrganizer = () => ++lastOrganizer;

async function as(id: number, role: 'user' | 'business' | 'admin' = 'business') {
  const token = await stack.identity.tokenFor({ id, role });
  return { authorization: `Bearer ${token}` };
}
const connect = async (id: number, role?: 'user' | 'business') =>
  stack.call('POST', '/api/stripe/create-connect-account', {}, await as(id, role));
const figures = async (id: number, role?: 'user' | 'business' | 'admin') =>
  (await stack.call('GET', '/api/payouts', undefined, await as(id, role))).body as Payouts;
const check = async (id: number) => (await stack.call('POST', '/api/payouts/check', {}, await as(id))).body as Payouts;

const accountOf = async (id: number): Promise<string> =>
  (await stack.query<{ id: string }>('select account_id as id from payout_accounts where user_id = $1', [id]))[0]!.id;

/** What the account holder does on the provider's page. */
const finish = (link: string, outcome: string) =>
  fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome }) });

async function ready(id = anOrganizer()): Promise<{ id: number; accountId: string }> {
  const { body } = await connect(id);
  await finish(body.accountLinkUrl as string, 'complete');
  expect((await check(id)).state).toBe('ready');
  return { id, accountId: await accountOf(id) };
}

/** Creates a paid order whose tickets are handed out. */
async function sold(organizerId: number, amountCents = 1_000): Promise<Paid> {
  const payment = await orders.paid('pm_card_visa', { organizerId, amountCents });
  await orders.purchased(payment);
  await orders.until(payment.order.orderId, 'PaymentFulfilled');
  return payment;
}

const work = async () => {
  while (await settleShares(stack.deps, NOW));
};
const transfersOf = async ({ order }: Paid) =>
  (await stack.stripe.transfers.list({ transfer_group: order.orderId, limit: 100 })).data;
const availableOf = async (accountId: string) =>
  (await stack.stripe.balance.retrieve({}, { stripeAccount: accountId })).available[0]?.amount;
const balances = async ({ order }: Paid) =>
  Object.fromEntries(
    (
      await stack.query<{ account: string; cents: number }>(
        'select account, sum(amount_cents)::int as cents from ledger_entries where payment_id = $1 group by account',
        [order.orderId],
      )
    ).map(({ account, cents }) => [account, cents]),
  );
const refundPart = (payment: Paid, cents: number, requestId: string = randomUUID()) =>
  stack.say('refund-requested', {
    ...{ orderId: payment.order.orderId, eventId: 7, quantity: 1, paymentId: payment.paymentId },
    ...{ amountCents: cents, reason: 'organizer', requestId },
  });
const untilMoved = (payment: Paid, type: string, count = 1) =>
  stack.eventually(
    async () => {
      await work();
      return (await stack.events(payment.order.orderId)).filter((one) => one === type).length >= count;
    },
    { what: `${count} of ${type}` },
  );

test('any seller can set up payouts, whatever the role; the seller’s account at the provider is created once', async () => {
  const id = anOrganizer();
  expect((await stack.call('POST', '/api/stripe/create-connect-account', {})).status).toBe(401);
  expect((await stack.call('GET', '/api/payouts', undefined, await as(id, 'user'))).status).toBe(200);
  expect((await connect(anOrganizer(), 'user')).status).toBe(200);

  const links = await Promise.all([connect(id), connect(id), connect(id)]);
  // A request while the provider processes the same key gets 503 with Retry-After.
  expect(links.every(({ status }) => status === 200 || status === 503)).toBe(true);
  links.push(await connect(id));
  for (const { body } of links.filter(({ status }) => status === 200))
    expect(body.accountLinkUrl).toMatch(/\/sandbox\/stripe\/connect\/acl_/);
  const account = await stack.stripe.accounts.retrieve(await accountOf(id));
  expect(account).toMatchObject({ type: 'express', metadata: { beltwayUserId: String(id) } });
  expect(await stack.query('select type from events where stream = $1', [`payout-account-${id}`])).toEqual([
    { type: 'AccountOpened' },
  ]);
  expect((await figures(anOrganizer())).state).toBe('none');
  expect((await figures(id)).state).toBe('onboarding');
});

test('the onboarding returns to our pages: done, under review, refused or left; a used link leads to a fresh one', async () => {
  for (const [outcome, state] of [
    ['leave', 'onboarding'],
    ['review', 'review'],
    ['reject', 'rejected'],
    ['complete', 'ready'],
  ] as const) {
    const id = anOrganizer();
    const link = (await connect(id)).body.accountLinkUrl as string;
    const back = await finish(link, outcome);
    expect([back.status, back.headers.get('location')]).toEqual([303, 'http://localhost:3000/payouts/return']);
    expect((await check(id)).state).toBe(state);
    const again = await fetch(link, { redirect: 'manual' });
    expect([again.status, again.headers.get('location')]).toEqual([303, 'http://localhost:3000/payouts/refresh']);
    expect((await connect(id)).status).toBe(state === 'rejected' ? 409 : 200);
  }
});

test("the state follows the provider's current state, whatever the order, API version and shape of the reports", async () => {
  const { id, accountId } = await ready();
  const [event] = (await stack.stripe.events.list({ type: 'account.updated', limit: 100 })).data.filter(
    ({ data: { object } }) => (object as { id: string }).id === accountId,
  );
  await stack.dashboard(`/accounts/${accountId}`, { outcome: 'restrict' });
  // An old report from another API version, with unknown fields, in which the account looks complete.
  const tell = await stack.tell({
    ...event!,
    api_version: '2031-01-01.zebra',
    data: { object: { id: accountId, object: 'account', capabilities: 'all of them', payouts_enabled: true } },
  });
  expect(tell.status).toBe(200);
  expect((await figures(id)).state).toBe('restricted');
  // Accounts of another product, and unknown accounts.
  for (const unknown of ['acct_nobody00000000', (await stack.stripe.accounts.create({ type: 'express' })).id])
    expect((await stack.tell({ ...event!, id: `evt_${unknown}`, data: { object: { id: unknown } } })).status).toBe(200);
  // A report was lost: the reconciler asks the provider.
  await stack.dashboard(`/accounts/${accountId}`, { outcome: 'complete' });
  while ((await figures(id)).state !== 'ready') await checkAccounts(stack.deps, NOW);
  // The process crashed before recording an account. The provider's report contains the account's owner.
  const forgotten = anOrganizer();
  const made = await stack.stripe.accounts.create({ type: 'express', metadata: { beltwayUserId: String(forgotten) } });
  await stack.tell({ ...event!, id: `evt_${made.id}`, data: { object: made } });
  expect(await accountOf(forgotten)).toBe(made.id);
  // Another product on the same platform also has numeric user ids: its account belongs to no account here.
  const stranger = anOrganizer();
  const theirs = await stack.stripe.accounts.create({ type: 'express', metadata: { userId: String(stranger) } });
  expect((await stack.tell({ ...event!, id: `evt_${theirs.id}`, data: { object: theirs } })).status).toBe(200);
  expect((await figures(stranger)).state).toBe('none');
});

test('a ticket of an organizer with a ready account is a destination charge: their share arrives immediately', async () => {
  const { id, accountId } = await ready();
  const payment = await sold(id, 1_010);
  const intent = await stack.stripe.paymentIntents.retrieve(payment.paymentId);
  expect(intent).toMatchObject({ transfer_data: { destination: accountId }, application_fee_amount: 51 });
  expect(await availableOf(accountId)).toBe(959);
  await work();
  expect(await transfersOf(payment)).toHaveLength(1);
  expect(await balances(payment)).toMatchObject({
    provider: 1_010,
    'provider:transfers': -959,
    platform: -51,
    [`organizer:${id}`]: 0,
  });
  expect(await figures(id)).toMatchObject({ owedCents: 0, balanceCents: 959, paidCents: 0, nextPayout: null });

  // Refunds a part, then the rest: transfer and fee are reversed in proportion, to the cent.
  await refundPart(payment, 337);
  await untilMoved(payment, 'TransferReversed');
  expect(await availableOf(accountId)).toBe(1_010 - 337 - Math.round((51 * 673) / 1_010));
  await orders.askRefund(payment, 'event-canceled');
  await untilMoved(payment, 'TransferReversed', 2);
  expect(await availableOf(accountId)).toBe(0);
  const [transfer] = await transfersOf(payment);
  expect(transfer).toMatchObject({ amount: 1_010, amount_reversed: 1_010, reversed: true });
  expect(Object.values(await balances(payment)).every((cents) => cents === 0)).toBe(true);
});

test('shares of sales before the account is ready are owed, then transferred once, even by concurrent workers', async () => {
  const id = anOrganizer();
  const payments = [await sold(id, 2_000), await sold(id, 999)];
  const partly = await sold(id, 1_000);
  await refundPart(partly, 400);
  await orders.until(partly.order.orderId, 'PaymentPartlyRefunded');
  const returned = await sold(id, 1_000);
  await orders.askRefund(returned, 'event-canceled');
  await orders.until(returned.order.orderId, 'PaymentRefunded');
  await work();
  expect(await figures(id)).toMatchObject({ state: 'none', owedCents: 1_900 + 949 + 570, balanceCents: 0 });

  await ready(id);
  // Simulates concurrent instances.
  await Promise.all([work(), work(), work()]);
  expect(await figures(id)).toMatchObject({ owedCents: 0, balanceCents: 1_900 + 949 + 570 });
  for (const [payment, cents] of [
    [payments[0]!, 1_900],
    [payments[1]!, 949],
    [partly, 570],
  ] as const) {
    const transfers = await transfersOf(payment);
    expect(transfers.map(({ amount }) => amount)).toEqual([cents]);
    expect(transfers[0]!.source_transaction).toMatch(/^ch_/);
  }
  expect(await transfersOf(returned)).toEqual([]);

  // A refund after the transfer takes the share back.
  await orders.askRefund(payments[0]!, 'event-canceled');
  await untilMoved(payments[0]!, 'TransferReversed');
  expect(await availableOf(await accountOf(id))).toBe(949 + 570);
});

test('a transfer whose response was lost is found, and not repeated', async () => {
  const { id } = await ready();
  await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'restrict' });
  await check(id);
  const payment = await sold(id, 5_000);
  await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'complete' });
  await check(id);
  const { provider } = stack.deps;
  // The provider makes the transfer, but its response is lost.
  const lost = {
    ...provider,
    transfer: async (...of: Parameters<typeof provider.transfer>) => {
      await provider.transfer(...of);
      throw new Error('the connection broke');
    },
  };
  await settleShares({ ...stack.deps, provider: lost }, NOW);
  expect(await figures(id)).toMatchObject({ owedCents: 4_750, balanceCents: 0 });
  // A partial refund in between changes the owed amount.
  await refundPart(payment, 1_000);
  await orders.until(payment.order.orderId, 'PaymentPartlyRefunded');
  await untilMoved(payment, 'TransferReversed');
  expect((await transfersOf(payment)).map(({ amount, amount_reversed }) => [amount, amount_reversed])).toEqual([
    [4_750, 950],
  ]);
  expect(await figures(id)).toMatchObject({ owedCents: 0, balanceCents: 3_800 });
});

test('an unrecorded transfer is reversed when the whole order is refunded, so that nothing is owed', async () => {
  const { id } = await ready();
  await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'restrict' });
  await check(id);
  const payment = await sold(id, 5_000);
  await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'complete' });
  await check(id);
  const { provider } = stack.deps;
  // The provider makes the transfer, but the process is killed before recording it.
  const killed = {
    ...provider,
    transfer: async (...of: Parameters<typeof provider.transfer>) => {
      await provider.transfer(...of);
      throw new Error('killed');
    },
  };
  await settleShares({ ...stack.deps, provider: killed }, NOW);
  await refundPart(payment, 5_000);
  await stack.eventually(async () => (await figures(id)).owedCents === 0, { what: 'nothing owed' });
  await untilMoved(payment, 'TransferReversed');
  expect((await transfersOf(payment)).map(({ amount, amount_reversed }) => [amount, amount_reversed])).toEqual([
    [4_750, 4_750],
  ]);
  expect(await figures(id)).toMatchObject({ owedCents: 0, balanceCents: 0 });
  await work();
  expect(await stack.query('select from provider_tasks where payment_id = $1', [payment.order.orderId])).toEqual([]);
});

test.each(['rate-limited', 'failing', 'lost-answers'])(
  'with a provider that is %s, each share is moved exactly once in the end',
  async (mode) => {
    const { id } = await ready();
    await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'restrict' });
    await check(id);
    const payment = await sold(id, 3_000);
    await stack.dashboard(`/accounts/${await accountOf(id)}`, { outcome: 'complete' });
    await check(id);
    await stack.tune('api', { mode });
    await settleShares(stack.deps, NOW);
    await settleShares(stack.deps, NOW);
    expect((await figures(id)).owedCents).toBe(2_850);
    await stack.tune('api', { mode: 'normal' });
    await untilMoved(payment, 'ShareTransferred');
    expect((await transfersOf(payment)).map(({ amount }) => amount)).toEqual([2_850]);
  },
);

test('if the organizer’s account was restricted since, the buyer can still pay, and the share is owed', async () => {
  const { id, accountId } = await ready();
  await stack.dashboard(`/accounts/${accountId}`, { outcome: 'restrict' });
  const payment = await sold(id, 1_000);
  expect((await stack.stripe.paymentIntents.retrieve(payment.paymentId)).transfer_data).toBeNull();
  expect(await figures(id)).toMatchObject({ owedCents: 950, balanceCents: 0 });
});

test('a share is taken back even from an account that was restricted after the transfer', async () => {
  const { id, accountId } = await ready();
  const payment = await sold(id, 1_000);
  await stack.dashboard(`/accounts/${accountId}`, { outcome: 'restrict' });
  expect((await check(id)).state).toBe('restricted');
  await orders.askRefund(payment, 'event-canceled');
  await orders.until(payment.order.orderId, 'PaymentRefunded');
  await untilMoved(payment, 'TransferReversed');
  expect(await availableOf(accountId)).toBe(0);
  expect(Object.values(await balances(payment)).every((cents) => cents === 0)).toBe(true);
});

test('after a lost dispute, the share is taken back; while the dispute is open, nothing is transferred', async () => {
  const { id, accountId } = await ready();
  const payment = await sold(id, 1_000);
  const dispute = await stack.dashboard(`/intents/${payment.paymentId}/dispute`);
  const tell = async () => {
    for (const event of await stack.providerEvents(payment.paymentId)) await stack.tell(event);
  };
  await tell();
  await work();
  expect(await availableOf(accountId)).toBe(950);
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await tell();
  await untilMoved(payment, 'TransferReversed');
  expect(await availableOf(accountId)).toBe(0);
  expect(Object.values(await balances(payment)).every((cents) => cents === 0)).toBe(true);
});

test('an organizer sees the figures of one account, an admin the figures of all accounts', async () => {
  const { id } = await ready();
  await sold(id, 1_000);
  const other = anOrganizer();
  expect(await figures(other)).toMatchObject({ owedCents: 0, balanceCents: 0, history: [] });
  const own = await figures(id);
  expect(own.history).toMatchObject([{ kind: 'transfer', amountCents: 950, eventId: 7 }]);
  const platform = await figures(other, 'admin');
  expect(platform.scope).toBe('platform');
  expect(platform.balanceCents).toBeGreaterThanOrEqual(own.balanceCents);
});

/** Processes every account, several at a time. */
const pay = async (deps: Parameters<typeof sendPayouts>[0], now: Date) => {
  for (let turns = lastOrganizer - 1_000; turns > 0; turns -= 5) await sendPayouts(deps, NOW, now);
};

test('each Friday, an account is paid out once if its balance reaches the minimum', async () => {
  const { id, accountId } = await ready();
  const friday = new Date('2026-11-20T15:00:00Z');
  await sold(id, 2_000);
  await pay(stack.deps, friday);
  expect((await stack.stripe.payouts.list({}, { stripeAccount: accountId })).data).toEqual([]);

  await sold(id, 2_000);
  await pay(stack.deps, new Date('2026-11-23T15:00:00Z')); // not a Friday
  expect((await stack.stripe.payouts.list({}, { stripeAccount: accountId })).data).toEqual([]);
  const { provider } = stack.deps;
  const lost = {
    ...provider,
    payOut: async (...of: Parameters<typeof provider.payOut>) => {
      await provider.payOut(...of);
      throw new Error('the connection broke');
    },
  };
  await pay({ ...stack.deps, provider: lost }, friday);
  await sold(id, 2_000);
  await Promise.all([pay(stack.deps, friday), pay(stack.deps, friday)]);
  const { data } = await stack.stripe.payouts.list({}, { stripeAccount: accountId });
  expect(data.map(({ amount }) => amount)).toEqual([3_800]);
  expect(await figures(id)).toMatchObject({ balanceCents: 1_900, paidCents: 3_800, nextPayout: null });

  // The bank returns the payout, which puts the money back into the account.
  await stack.dashboard(`/payouts/${data[0]!.id}`, { outcome: 'failed' });
  const [event] = (await stack.stripe.events.list({ type: 'payout.failed' })).data;
  expect((await stack.tell(event!)).status).toBe(200);
  expect(await figures(id)).toMatchObject({ balanceCents: 5_700, paidCents: 0, nextPayout: { amountCents: 5_700 } });
});

const FRIDAYS = ['2026-12-11', '2026-12-18', '2026-12-25'].map((day) => new Date(`${day}T15:00:00Z`));
const payoutsTo = async (accountId: string) =>
  (await stack.stripe.payouts.list({}, { stripeAccount: accountId })).data.map(({ amount }) => amount).toReversed();

test('a payout leaves what the organizer owes back, also the platform’s fee that was returned for it', async () => {
  const { id, accountId } = await ready();
  const gone = await sold(id, 50_000);
  await pay(stack.deps, FRIDAYS[0]!);
  expect(await payoutsTo(accountId)).toEqual([47_500]);
  await orders.askRefund(gone, 'event-canceled');
  await untilMoved(gone, 'FeeReturned');
  // The account has the fee of $25.00, which is the minimum of a payout, and then some new sales.
  expect(await figures(id)).toMatchObject({
    ...{ owedCents: -50_000, balanceCents: 2_500, keptCents: 2_500, nextPayout: null },
  });
  await pay(stack.deps, FRIDAYS[1]!);
  await sold(id, 10_000);
  expect(await figures(id)).toMatchObject({ balanceCents: 12_000, keptCents: 12_000, nextPayout: null });
  await pay(stack.deps, FRIDAYS[1]!);
  expect(await payoutsTo(accountId)).toEqual([47_500]);
  // Enough was sold: the debt is taken, and the rest is paid out.
  await sold(id, 45_000);
  await stack.query(`update provider_tasks set next_at = now() where payment_id = $1`, [gone.order.orderId]);
  await untilMoved(gone, 'TransferReversed');
  await pay(stack.deps, FRIDAYS[2]!);
  expect(await payoutsTo(accountId)).toEqual([47_500, 2_500 + 9_500 + 42_750 - 50_000]);
});

test('a payout leaves the shares of payments whose refund is requested but not made, or whose dispute is open', async () => {
  const { id, accountId } = await ready();
  const [whole, part, disputed] = [await sold(id, 20_000), await sold(id, 20_000), await sold(id, 20_000)];
  await sold(id, 10_000);
  await stack.tune('api', { mode: 'failing' });
  await orders.askRefund(whole, 'event-canceled');
  const partId = randomUUID();
  await refundPart(part, 4_000, partId);
  await orders.until(whole.order.orderId, 'RefundRequested');
  await orders.until(part.order.orderId, 'PartRefundRequested');
  // Postpones the retries once the first tries have failed, because a try in progress could still succeed.
  await stack.eventually(
    async () =>
      (
        await stack.query(
          `update provider_tasks set next_at = now() + interval '1 hour'
           where payment_id = any($1::uuid[]) and failures > 0 and failures = attempts returning payment_id`,
          [[whole.order.orderId, partId]],
        )
      ).length === 2,
    { what: 'two failed tries' },
  );
  await stack.tune('api', { mode: 'normal' });
  const dispute = await stack.dashboard(`/intents/${disputed.paymentId}/dispute`);
  const tell = async () => {
    for (const event of await stack.providerEvents(disputed.paymentId)) await stack.tell(event);
  };
  await tell();
  const safe = 19_000 - 4_000 + 9_500;
  expect(await figures(id)).toMatchObject({ keptCents: 19_000 + 4_000 + 19_000, nextPayout: { amountCents: safe } });
  // $165.00 have not settled yet: what is kept for buyers must have, because only settled money can be taken back.
  const { provider } = stack.deps;
  await pay({ ...stack.deps, provider: { ...provider, available: async () => 50_000 } }, FRIDAYS[0]!);
  expect(await payoutsTo(accountId)).toEqual([safe - 16_500]);
  // The bank decides for us: the share is paid out on the next Friday.
  await stack.dashboard(`/disputes/${dispute.id}/close`, { outcome: 'won' });
  await tell();
  await pay(stack.deps, FRIDAYS[1]!);
  expect(await payoutsTo(accountId)).toEqual([safe - 16_500, 16_500 + 19_000]);
});

test('a suspended account gets no payout until its suspension ends, in any order of messages', async () => {
  const { id, accountId } = await ready();
  const friday = new Date('2026-11-20T15:00:00Z');
  await sold(id, 4_000);
  const say = async (isSuspended: boolean, version: number) => {
    await stack.say('suspension-changed', { userId: id, isSuspended, version }, randomUUID(), 'identity');
    await stack.eventually(
      async () => (await stack.bus.lag('payments.accounts', ['identity.events']))['identity.events'] === 0,
    );
  };
  const payouts = async () =>
    (await stack.stripe.payouts.list({}, { stripeAccount: accountId })).data.map(({ amount }) => amount);
  await say(true, 4);
  await pay(stack.deps, friday);
  expect(await payouts()).toEqual([]);

  // The account is suspended during the call to the provider.
  await say(false, 5);
  const { provider } = stack.deps;
  const slow = {
    ...provider,
    available: async (...of: Parameters<typeof provider.available>) => {
      await say(true, 6);
      return provider.available(...of);
    },
  };
  await pay({ ...stack.deps, provider: slow }, friday);
  expect(await payouts()).toEqual([]);

  await say(false, 7);
  await say(true, 6);
  await pay(stack.deps, friday);
  expect(await payouts()).toEqual([3_800]);
});

test('money that was already paid out cannot be taken back; the debt stays in the books and is deducted from later sales', async () => {
  const { id } = await ready();
  const gone = await sold(id, 4_000);
  await pay(stack.deps, new Date('2026-11-27T15:00:00Z'));
  expect(await figures(id)).toMatchObject({ balanceCents: 0, paidCents: 3_800 });
  await orders.askRefund(gone, 'event-canceled');
  await untilMoved(gone, 'FeeReturned');
  await work();
  expect(await figures(id)).toMatchObject({ owedCents: -4_000, balanceCents: 200, paidCents: 3_800 });
  await sold(id, 10_000);
  await untilMoved(gone, 'TransferReversed');
  expect(await figures(id)).toMatchObject({ owedCents: 0, balanceCents: 9_500 - 3_800, paidCents: 3_800 });
});

test('a reversal that is refused repeatedly is reported once, shown as owed back, and ends when the account has enough', async () => {
  const { id } = await ready();
  const gone = await sold(id, 4_000);
  await pay(stack.deps, new Date('2026-12-04T15:00:00Z'));
  await orders.askRefund(gone, 'event-canceled');
  await untilMoved(gone, 'FeeReturned');
  const alerts = async () =>
    ((await stack.call('GET', '/internal/alerts?status=all&limit=100')).body as AlertPage).alerts.filter(
      ({ orderId, kind }) => orderId === gone.order.orderId && kind === 'reversal-delayed',
    );
  const owedBack = async () =>
    (await metricsText()).split('\n').find((line) => line.startsWith('payments_owed_back_cents '));
  const end = showMoney(stack.pool);
  await work();
  expect(await alerts()).toEqual([]);
  for (let tries = 0; tries < 8; tries++) {
    await stack.query(`update provider_tasks set next_at = now() where payment_id = $1`, [gone.order.orderId]);
    await work();
  }
  expect(await alerts()).toMatchObject([
    { amountCents: 4_000, resolvedAt: null, detail: expect.stringMatching(/tries/) },
  ]);
  expect((await stack.events(gone.order.orderId)).filter((type) => type === 'ShareDelayed')).toHaveLength(1);
  expect(await owedBack()).toBe('payments_owed_back_cents 4000');
  // The books match the provider at every step.
  const shares = async () =>
    (await invariants({ ...stack.deps, settledMs: 0 })).find(({ name }) => name.startsWith('organizers’ accounts'));
  expect(await shares()).toMatchObject({ ok: true });

  await sold(id, 10_000);
  await stack.query(`update provider_tasks set next_at = now() where payment_id = $1`, [gone.order.orderId]);
  await untilMoved(gone, 'ShareSettled');
  expect((await alerts())[0]!.resolvedAt).not.toBeNull();
  expect(await owedBack()).toBe('payments_owed_back_cents 0');
  end();
});

test('a move at the provider that is not in the ledger is found', async () => {
  const { id } = await ready();
  const payment = await sold(id, 4_000);
  const check = async (settledMs = 0) =>
    (await invariants({ ...stack.deps, settledMs })).find(({ name }) => name.startsWith('organizers’ accounts'))!;
  expect(await check()).toMatchObject({ ok: true, violations: 0 });
  const [transfer] = await transfersOf(payment);
  // A reversal made by hand in the provider's dashboard.
  await stack.stripe.transfers.createReversal(transfer!.id, { amount: 1_000 });
  // The provider's times are whole seconds.
  await stack.eventually(async () => (await check()).examples.includes(payment.order.orderId));
  // Moves younger than ten minutes may still be recorded.
  expect(await check(600_000)).toMatchObject({ ok: true });
  await stack.away();
  expect(await check()).toMatchObject({ ok: true, unchecked: 'The provider does not answer.' });
  await stack.back();
  // A worker that handles the payment again records the reversal, and transfers the share once more.
  await stack.query(`insert into provider_tasks (kind, payment_id, attempts, next_at) values ('share', $1, 1, now())`, [
    payment.order.orderId,
  ]);
  await work();
  expect(await check()).toMatchObject({ ok: true, violations: 0 });
});

test('a signed-in buyer has one customer at the provider; a guest has no customer', async () => {
  const buyerId = anOrganizer();
  const payments = await Promise.all([1, 2, 3].map(() => orders.paid('pm_card_visa', { buyerId })));
  const customers = new Set<unknown>();
  for (const { paymentId } of payments) customers.add((await stack.stripe.paymentIntents.retrieve(paymentId)).customer);
  const kept = await stack.query<{ id: string }>('select stripe_customer_id as id from customers where user_id = $1', [
    buyerId,
  ]);
  expect([...customers]).toEqual(kept.map(({ id }) => id));
  const guest = await orders.paid('pm_card_visa', { buyerId: null });
  expect((await stack.stripe.paymentIntents.retrieve(guest.paymentId)).customer).toBeNull();
});

test('the provider’s own fees are booked, and then its balance matches our books', async () => {
  const payment = await sold(anOrganizer(), 1_000);
  await work();
  const reports = { everyMs: 0, lagSeconds: 0 };
  // The provider's times have a resolution of one second: an object is listed in the second after it was made.
  await stack.eventually(
    async () => {
      while (await bookProviderFees(stack.deps, reports));
      return (await balances(payment))['provider-fee'] === 59;
    },
    { what: 'the fee' },
  );
  while (await bookProviderFees(stack.deps, reports));
  const [ours] = await stack.query<{ cents: number }>(
    `select sum(amount_cents)::int as cents from ledger_entries where account in ('provider', 'provider:transfers', 'provider:fees')`,
  );
  expect((await stack.stripe.balance.retrieve()).available[0]?.amount).toBe(ours?.cents);
  const [all] = await stack.query<{ cents: number }>('select sum(amount_cents)::int as cents from ledger_entries');
  expect(all?.cents).toBe(0);
});

test('accounts, payouts and shares are unchanged after a rebuild from the log', async () => {
  const { tables } = await rebuild(stack.databaseUrl);
  expect(tables.filter(({ before, after }) => before !== after)).toEqual([]);
  expect(tables.map(({ table }) => table)).toEqual(expect.arrayContaining(['payout_accounts', 'payouts', 'payments']));
  await forgiveUnfulfilled(stack);
  const checks = await stack.invariants();
  expect(Object.entries(checks).filter(([, violations]) => violations !== 0)).toEqual([]);
});
