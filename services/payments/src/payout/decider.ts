import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { AccountFacts, AccountState, PayoutCommand, PayoutEvent } from './events.ts';

export interface PayoutAccount {
  account: AccountFacts | null;
  state: AccountState;
  askedAt: string;
  payouts: Map<string, 'pending' | 'paid' | 'failed'>;
}

const initial = (): PayoutAccount => ({ account: null, state: 'onboarding', askedAt: '', payouts: new Map() });

/** The account that a report is about. */
function known({ account }: PayoutAccount, accountId: string): AccountFacts {
  if (!account) throw new Rejected('no-account');
  if (account.accountId !== accountId) throw new Rejected('other-account.payouts');
  return account;
}

function decide(command: PayoutCommand, state: PayoutAccount): PayoutEvent[] {
  switch (command.type) {
    case 'OpenAccount': {
      const { userId, accountId } = command;
      if (!state.account) return [{ type: 'AccountOpened', data: { userId, accountId } }];
      known(state, accountId);
      return [];
    }
    case 'RecordAccount': {
      const account = known(state, command.accountId);
      const { askedAt } = command;
      // A late response to an earlier request is outdated.
      if (command.state === state.state || askedAt < state.askedAt) return [];
      return [{ type: 'AccountChanged', data: { ...account, state: command.state, askedAt } }];
    }
    case 'RecordPayout': {
      const account = known(state, command.accountId);
      const { payoutId, cents, dueOn, status } = command;
      const before = state.payouts.get(payoutId);
      const sent: PayoutEvent[] = before ? [] : [{ type: 'PayoutSent', data: { ...account, payoutId, cents, dueOn } }];
      // A bank may return a payout that it had accepted. A failed payout stays failed.
      if (status === 'pending' || status === before || before === 'failed') return sent;
      return [...sent, { type: 'PayoutSettled', data: { ...account, payoutId, outcome: status } }];
    }
  }
}

// May mutate the state: the store owns it, and drops it if the append fails.
function evolve(state: PayoutAccount, { type, data }: PayoutEvent): PayoutAccount {
  switch (type) {
    case 'AccountOpened':
      state.account = data;
      return state;
    case 'AccountChanged':
      state.state = data.state;
      state.askedAt = data.askedAt;
      return state;
    case 'PayoutSent':
      state.payouts.set(data.payoutId, 'pending');
      return state;
    case 'PayoutSettled':
      state.payouts.set(data.payoutId, data.outcome);
      return state;
  }
}

export const payoutAccount: Decider<PayoutAccount, PayoutCommand, PayoutEvent> = { initial, decide, evolve };
