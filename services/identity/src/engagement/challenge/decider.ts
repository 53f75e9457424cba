import type { Decider } from '@beltway/event-store';
import type { ChallengeCommand, ChallengeEvent } from './events.ts';
import type { ChallengeTerms } from './rules.ts';

export interface ChallengeState {
  terms: ChallengeTerms | undefined;
  /** Account ids, each with the time at which the account met the challenge. */
  met: Map<number, string>;
  holders: Set<number>;
}

/** A number that breaks ties between accounts in a challenge. It is fixed for each account and challenge (FNV-1a). */
export function lotOf({ week, type }: Pick<ChallengeTerms, 'week' | 'type'>, userId: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${week} ${type} ${userId}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

/**
 * Awards the places to the accounts that met the challenge first. Equal times are decided by lot. The order in which
 * events arrive does not matter.
 */
function holdersOf(terms: ChallengeTerms, met: ReadonlyMap<number, string>): Set<number> {
  const inOrder = [...met].sort(
    ([a, at], [b, other]) => (at === other ? 0 : at < other ? -1 : 1) || lotOf(terms, a) - lotOf(terms, b) || a - b,
  );
  return new Set(inOrder.slice(0, terms.places ?? undefined).map(([userId]) => userId));
}

const only = (some: ReadonlySet<number>, others: ReadonlySet<number>) => [...some].filter((one) => !others.has(one));

/**
 * Awards the limited places of a challenge. Accepts every command, because commands report facts that have already
 * happened.
 */
export const challenge: Decider<ChallengeState, ChallengeCommand, ChallengeEvent> = {
  initial: () => ({ terms: undefined, met: new Map(), holders: new Set() }),

  decide(command, { terms, met: before, holders }) {
    switch (command.type) {
      case 'MakeChallenge':
        return terms ? [] : [{ type: 'ChallengeMade', data: command.terms }];
      case 'StateMet': {
        const { userId, at } = command;
        if (!terms || (before.get(userId) ?? null) === at) return [];
        const met = new Map(before);
        if (at === null) met.delete(userId);
        else met.set(userId, at);
        const now = holdersOf(terms, met);
        return [
          at === null ? { type: 'ChallengeUnmet', data: { userId } } : { type: 'ChallengeMet', data: { userId, at } },
          ...only(holders, now).map((out): ChallengeEvent => ({ type: 'PlaceTakenBack', data: { userId: out } })),
          ...only(now, holders).map((one): ChallengeEvent => ({ type: 'PlaceGiven', data: { userId: one } })),
        ];
      }
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'ChallengeMade':
        state.terms = data;
        return state;
      case 'ChallengeMet':
        state.met.set(data.userId, data.at);
        return state;
      case 'ChallengeUnmet':
        state.met.delete(data.userId);
        return state;
      case 'PlaceGiven':
        state.holders.add(data.userId);
        return state;
      case 'PlaceTakenBack':
        state.holders.delete(data.userId);
        return state;
    }
  },
};
