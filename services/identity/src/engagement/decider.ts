import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { BADGES, isEarned, measuresOf } from '@beltway/contracts/identity/badges';
import { MAX_CONNECTIONS } from '@beltway/contracts/identity/connections';
import { rewardedReferrals } from '@beltway/contracts/identity/referrals';
import type { ConnectionCommand, ConnectionEvent } from './connection/events.ts';
import type { Counted, EngagementCommand, EngagementEvent } from './events.ts';
import { POINTS } from '@beltway/contracts/identity/point-rules';

type StateReferral = Extract<EngagementCommand, { type: 'StateReferral' }>;

/** Account ids, each with whether this account requests a connection. False: the request was withdrawn or declined. */
type Wishes = Map<number, boolean>;

export interface EngagementState {
  facts: Map<string, Counted>;
  badges: Set<string>;
  /** Referred accounts that have attended an event, each with the day of its first attendance. */
  referrals: Map<number, string>;
  wishes: Wishes;
  isVisible: boolean;
  isErased: boolean;
}

const keyOf = ({ kind, subjectId }: Pick<Counted, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;

/** Compares all fields except the points: awarded points do not change when the rules change. */
function isSame(a: Counted, b: Counted): boolean {
  return (
    a.eventId === b.eventId &&
    a.day === b.day &&
    a.category === b.category &&
    a.place === b.place &&
    a.basis === b.basis
  );
}

/** Unlocks badges and takes badges back, so that they match the facts. */
function badgesOf(facts: Iterable<Counted>, has: ReadonlySet<string>): EngagementEvent[] {
  const measures = measuresOf(facts);
  return BADGES.flatMap((badge): EngagementEvent[] => {
    const earned = isEarned(badge, measures);
    if (earned === has.has(badge.id)) return [];
    return [{ type: earned ? 'BadgeUnlocked' : 'BadgeTakenBack', data: { badgeId: badge.id } }];
  });
}

/** Awards referral rewards and takes rewards back, so that they match all days known now. */
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

/** Counts a fact, or takes it back if `now` is null, and updates the badges. */
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

/**
 * Sends, withdraws or declines a connection request. The caller checks beforehand whether both accounts attended the
 * same event. A follower checks that again after every change.
 */
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
  // A repeated decline is recorded too, because the other account may have repeated its request.
  return [{ type: 'ConnectionSaid', data: { otherId, wants } }];
}

/** Applies the event to the map in place. */
function evolveWishes(wishes: Wishes, { type, data }: ConnectionEvent): void {
  if (type === 'ConnectionSaid') wishes.set(data.otherId, data.wants);
  else wishes.delete(data.otherId);
}

const nothing = (isErased: boolean): EngagementState => ({
  ...{ facts: new Map(), badges: new Set(), referrals: new Map(), wishes: new Map() },
  ...{ isVisible: false, isErased },
});

/**
 * Counts each fact once, in any order and even if it is repeated. Accepts every fact, because facts have already
 * happened.
 */
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
