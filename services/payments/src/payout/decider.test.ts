import { expect, test } from 'vitest';
import { Rejected } from '@beltway/event-store';
import { payoutAccount } from './decider.ts';
import type { PayoutCommand, PayoutEvent } from './events.ts';

const account = { userId: 3, accountId: 'acct_3' };
const opened: PayoutEvent = { type: 'AccountOpened', data: account };
const at = (minute: number) => `2026-11-23T10:${String(minute).padStart(2, '0')}:00.000Z`;
const changed = (state: 'ready' | 'restricted', minute: number): PayoutEvent => ({
  type: 'AccountChanged',
  data: { ...account, state, askedAt: at(minute) },
});
const report = (state: 'ready' | 'restricted', minute: number, accountId = 'acct_3'): PayoutCommand => ({
  ...{ type: 'RecordAccount', accountId, state, askedAt: at(minute) },
});
const payout = (status: 'pending' | 'paid' | 'failed'): PayoutCommand => ({
  ...{ type: 'RecordPayout', accountId: 'acct_3', payoutId: 'po_1', cents: 2_500, dueOn: '2026-11-20', status },
});
const sent: PayoutEvent = {
  type: 'PayoutSent',
  data: { ...account, payoutId: 'po_1', cents: 2_500, dueOn: '2026-11-20' },
};
const settled = (outcome: 'paid' | 'failed'): PayoutEvent => ({
  type: 'PayoutSettled',
  data: { ...account, payoutId: 'po_1', outcome },
});

const decideAfter = (before: PayoutEvent[], command: PayoutCommand) =>
  payoutAccount.decide(command, before.reduce(payoutAccount.evolve, payoutAccount.initial()));

test('an organizer has one account, opened once', () => {
  expect(decideAfter([], { type: 'OpenAccount', ...account })).toEqual([opened]);
  expect(decideAfter([opened], { type: 'OpenAccount', ...account })).toEqual([]);
  expect(() => decideAfter([opened], { type: 'OpenAccount', userId: 3, accountId: 'acct_9' })).toThrow(Rejected);
});

test('the state follows the provider; the late response to an earlier request changes nothing', () => {
  expect(decideAfter([opened], report('ready', 1))).toEqual([changed('ready', 1)]);
  expect(decideAfter([opened, changed('ready', 5)], report('restricted', 4))).toEqual([]);
  expect(decideAfter([opened, changed('ready', 5)], report('restricted', 6))).toEqual([changed('restricted', 6)]);
  expect(decideAfter([opened, changed('ready', 5)], report('ready', 6))).toEqual([]);
  expect(decideAfter([opened, changed('ready', 5)], report('restricted', 5))).toEqual([changed('restricted', 5)]);
});

test('a report about another account is rejected', () => {
  expect(() => decideAfter([], report('ready', 1))).toThrow(Rejected);
  expect(() => decideAfter([opened], report('ready', 1, 'acct_9'))).toThrow(Rejected);
});

test('a payout is sent once and settled once, in any order of reports', () => {
  expect(decideAfter([opened], payout('pending'))).toEqual([sent]);
  expect(decideAfter([opened, sent], payout('pending'))).toEqual([]);
  expect(decideAfter([opened], payout('paid'))).toEqual([sent, settled('paid')]);
  expect(decideAfter([opened, sent, settled('paid')], payout('pending'))).toEqual([]);
  expect(decideAfter([opened, sent, settled('paid')], payout('paid'))).toEqual([]);
  expect(decideAfter([opened, sent, settled('paid')], payout('failed'))).toEqual([settled('failed')]);
  expect(decideAfter([opened, sent, settled('failed')], payout('paid'))).toEqual([]);
});
