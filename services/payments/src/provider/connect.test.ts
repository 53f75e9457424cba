import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { connectProvider } from './connect.ts';

test('all refunds of a fee are read, although the provider includes only ten of them with the fee', async () => {
  const refunds = Array.from({ length: 12 }, (_, n) => ({ id: `fr_${n}`, amount: n + 1, created: 1_800_000_000 + n }));
  const stripe = {
    paymentIntents: { retrieve: async () => ({ latest_charge: { id: 'ch_1', application_fee: 'fee_1' } }) },
    transfers: { list: async () => ({ data: [] }) },
    applicationFees: {
      retrieve: async () => ({
        ...{ object: 'application_fee', id: 'fee_1', amount: 100, amount_refunded: 78 },
        refunds: { data: refunds.slice(0, 10), has_more: true },
      }),
      listRefunds: async (_fee: string, { limit }: { limit: number }) => ({ data: refunds.slice(0, limit) }),
    },
  } as unknown as Stripe;
  const { commands, netCents, newestAt } = await connectProvider(stripe, (_name, work) => work()).movesOf({
    id: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10',
    paymentId: 'pi_1',
  });
  expect(commands.map((command) => command.type === 'RecordFeeReturn' && command.feeRefundId)).toEqual(
    refunds.map(({ id }) => id),
  );
  expect([netCents, newestAt]).toEqual([-22, new Date(1_800_000_011_000)]);
});
