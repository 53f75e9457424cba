import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { BADGES, isEarned, measuresOf } from '@beltway/contracts/identity/badges';
import { MAX_CONNECTIONS } from '@beltway/contracts/identity/connections';
import { rewardedReferrals } from '@beltway/contracts/identity/referrals';
import type { ConnectionCommand, ConnectionEvent } from './connection/events.ts';
import type { Counted, EngagementCommand, EngagementEvent } from './events.ts';
import { POINTS } from '@beltway/contracts/identity/point-rules';

type StateReferral = Extract<EngagementCommand, { type: 'StateReferral' }>;

/** Of each person something was said of: whether one wants to be connected. */
type Wishes = Map<number, boolean>;

export interface EngagementState {
  facts: Map<string, Counted>;
  badges: Set<string>;
  /** Who attended of those they referred, and the day they did so first. */
  referrals: Map<number, string>;
  wishes: Wishes;
  isVisible: boolean;
  isErased: boolean;
}

const keyOf = ({ kind, subjectId }: Pick<Counted, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;

/** Points that were given stay as they were, also when others are given from today on. */
function isSame(a: Counted, b: Counted): boolean {
  return (
    a.eventId === b.eventId &&
    a.day === b.day &&
    a.category === b.category &&
    a.place === b.place &&
    a.basis === b.basis
  );
}

/** The badges that follow from the facts; one is taken back when what it asks for is not there any more. */
function badgesOf(facts: Iterable<Counted>, has: ReadonlySet<string>): EngagementEvent[] {
  const measures = measuresOf(facts);
  return BADGES.flatMap((badge): EngagementEvent[] => {
    const earned = isEarned(badge, measures);
    if (earned === has.has(badge.id)) return [];
    return [{ type: earned ? 'BadgeUnlocked' : 'BadgeTakenBack', data: { badgeId: badge.id } }];
  });
}

/** Rewards are given and taken back as they follow from all that is known now. */
function decideReferral({ referredId, day }: StateReferral, state: EngagementState): EngagementEvent[] {
  if ((state.referrals.get(referredId) ?? null) === day) return [];
  const attended = new Map(state.referrals);
  if (day === null) attended.delete(referredId);
  else attended.set(referredId, day);
  const rewarded = rewardedReferrals(attended);
  const facts = [...state.facts.values()].filter(({ kind }) => kind === 'referral');
  const had = new Map(facts.map((fact) => [fact.subjectId, fact]));
  const back = facts.filter((fact) => rewarded.get(fact.subjectId) !== fact.day);
  const given = [...rewarded].filter(([subjectId, first]) => had.get(subjectId)?.day !== first);
  return [
    { type: 'ReferralStated', data: { referredId, day } },
    ...back.map((data): EngagementEvent => ({ type: 'FactTakenBack', data })),
    ...given.map(([subjectId, first]): EngagementEvent => {
      const points = had.get(subjectId)?.points ?? POINTS.referral;
      const nowhere = { eventId: null, category: null, place: null, basis: null };
      return { type: 'FactCounted', data: { kind: 'referral', subjectId, day: first, points, ...nowhere } };
    }),
  ];
}

/** What follows when a fact is so now, or is not (null). */
function restate(
  state: EngagementState,
  of: Pick<Counted, 'kind' | 'subjectId'>,
  now: Counted | null,
): EngagementEvent[] {
  const key = keyOf(of);
  const before = state.facts.get(key);
  if (before ? now !== null && isSame(before, now) : now === null) return [];
  const facts = new Map(state.facts);
  const events: EngagementEvent[] = [];
  if (before) {
    facts.delete(key);
    events.push({ type: 'FactTakenBack', data: before });
  }
  if (now) {
    const data = before ? { ...now, points: before.points } : now;
    facts.set(key, data);
    events.push({ type: 'FactCounted', data });
  }
  return [...events, ...badgesOf(facts.values(), state.badges)];
}

/** What one says of others. Whether both attended the same event is found out before, and looked at ever after. */
function decideConnection(command: ConnectionCommand, wishes: Wishes): ConnectionEvent[] {
  const { otherId } = command;
  if (command.type === 'ForgetConnection')
    return wishes.has(otherId) ? [{ type: 'ConnectionForgotten', data: { otherId } }] : [];
  const { wants } = command;
  if (wants) {
    if (wishes.get(otherId) === true) return [];
    const wanted = [...wishes.values()].filter(Boolean).length;
    if (wanted >= MAX_CONNECTIONS) throw new Rejected('too-many-connections', { max: MAX_CONNECTIONS });
  }
  // Turned down again counts from now on: they may have asked anew.
  return [{ type: 'ConnectionSaid', data: { otherId, wants } }];
}

/** The wishes after it; changes them in place, as the whole state is. */
function evolveWishes(wishes: Wishes, { type, data }: ConnectionEvent): void {
  if (type === 'ConnectionSaid') wishes.set(data.otherId, data.wants);
  else wishes.delete(data.otherId);
}

const nothing = (isErased: boolean): EngagementState => ({
  ...{ facts: new Map(), badges: new Set(), referrals: new Map(), wishes: new Map() },
  ...{ isVisible: false, isErased },
});

/** Counts each fact once, whatever is said of it how often and in which order. Nothing is refused: what is said happened elsewhere. */
export const engagement: Decider<EngagementState, EngagementCommand, EngagementEvent> = {
  initial: () => nothing(false),

  decide(command, state) {
    if (state.isErased) return [];
    switch (command.type) {
      case 'StateFact': {
        const { kind, subjectId, fact } = command;
        return restate(state, command, fact && { kind, subjectId, ...fact, points: POINTS[kind] });
      }
      case 'StateReward': {
        const of = { kind: 'challenge', subjectId: command.challenge } as const;
        const { reward } = command;
        return restate(
          state,
          of,
          reward && { ...of, ...reward, eventId: null, category: null, place: null, basis: null },
        );
      }
      case 'StateReferral':
        return decideReferral(command, state);
      case 'SayConnection':
      case 'ForgetConnection':
        return decideConnection(command, state.wishes);
      case 'ChooseVisibility': {
        const { isVisible } = command;
        return isVisible === state.isVisible ? [] : [{ type: 'VisibilityChosen', data: { isVisible } }];
      }
      case 'EraseEngagement':
        return [{ type: 'EngagementErased', data: {} }];
    }
  },

  evolve(state, event) {
    const { type, data } = event;
    switch (type) {
      case 'FactCounted':
        state.facts.set(keyOf(data), data);
        return state;
      case 'FactTakenBack':
        state.facts.delete(keyOf(data));
        return state;
      case 'BadgeUnlocked':
        state.badges.add(data.badgeId);
        return state;
      case 'BadgeTakenBack':
        state.badges.delete(data.badgeId);
        return state;
      case 'ReferralStated':
        if (data.day === null) state.referrals.delete(data.referredId);
        else state.referrals.set(data.referredId, data.day);
        return state;
      case 'ConnectionSaid':
      case 'ConnectionForgotten':
        evolveWishes(state.wishes, event);
        return state;
      case 'VisibilityChosen':
        state.isVisible = data.isVisible;
        return state;
      case 'EngagementErased':
        return nothing(true);
    }
  },
};
