import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { challenge, lotOf, type ChallengeState } from './decider.ts';
import type { ChallengeCommand, ChallengeEvent } from './events.ts';
import { challengeNumberOf, challengesFrom, progressIn, type ChallengeFact, type ChallengeTerms } from './rules.ts';

const given = scenarios(challenge);
const terms: ChallengeTerms = {
  ...{ week: '2026-11-22', type: 'town', place: 'Bethesda, MD' },
  ...{ reward: 30, maxProgress: 1, places: 2 },
};
const made: ChallengeEvent = { type: 'ChallengeMade', data: terms };
const at = (hour: number) => `2026-11-24T${String(hour).padStart(2, '0')}:00:00.000Z`;
const states = (userId: number, when: string | null): ChallengeCommand => ({ type: 'StateMet', userId, at: when });
const met = (userId: number, hour: number): ChallengeEvent => ({
  type: 'ChallengeMet',
  data: { userId, at: at(hour) },
});
const unmet = (userId: number): ChallengeEvent => ({ type: 'ChallengeUnmet', data: { userId } });
const gives = (userId: number): ChallengeEvent => ({ type: 'PlaceGiven', data: { userId } });
const takes = (userId: number): ChallengeEvent => ({ type: 'PlaceTakenBack', data: { userId } });

test('a challenge is created once', () => {
  given().when({ type: 'MakeChallenge', terms }).yields(made);
  given(made)
    .when({ type: 'MakeChallenge', terms: { ...terms, place: 'Rockville, MD' } })
    .yields();
});

test('an account that meets a challenge gets a place if one is free, and a repeated report changes nothing', () => {
  given(made)
    .when(states(1, at(1)))
    .yields(met(1, 1), gives(1));
  given(made, met(1, 1), gives(1))
    .when(states(1, at(1)))
    .yields();
  given(made, met(1, 1), gives(1), met(2, 2), gives(2))
    .when(states(3, at(3)))
    .yields(met(3, 3));
  given(made).when(states(1, null)).yields();
});

test('a place that becomes free goes to the next account that met the challenge', () =>
  given(made, met(1, 1), gives(1), met(2, 2), gives(2), met(4, 4), met(3, 3))
    .when(states(1, null))
    .yields(unmet(1), takes(1), gives(3)));

test('the account that met the challenge first gets the place, even if it was reported later', () =>
  given(made, met(2, 2), gives(2), met(3, 3), gives(3))
    .when(states(1, at(1)))
    .yields(met(1, 1), takes(3), gives(1)));

test('older accounts have no advantage when ties are decided by lot', () => {
  const wins = fc
    .sample(fc.integer({ min: 1, max: 1_000_000 }), 400)
    .filter((id) => lotOf(terms, id) < lotOf(terms, id + 1));
  expect(wins.length).toBeGreaterThan(100);
  expect(wins.length).toBeLessThan(300);
});

test('if times are equal, the accounts with the lowest lots get the places', () =>
  // In this challenge account 3 has the lowest lot and account 1 the highest.
  given(made, met(1, 1), gives(1), met(2, 1), gives(2))
    .when(states(3, at(1)))
    .yields(met(3, 1), takes(1), gives(3)));

test('a challenge without a limit rewards all accounts that meet it', () => {
  const open: ChallengeEvent = { type: 'ChallengeMade', data: { ...terms, places: null } };
  given(open, met(1, 1), gives(1), met(2, 2), gives(2))
    .when(states(3, at(3)))
    .yields(met(3, 3), gives(3));
});

test('a challenge that does not exist cannot be met', () =>
  given()
    .when(states(1, at(1)))
    .yields());

const after = (commands: readonly ChallengeCommand[]): ChallengeState =>
  commands.reduce(
    (state, command) => challenge.decide(command, state).reduce((now, event) => challenge.evolve(now, event), state),
    challenge.evolve(challenge.initial(), made),
  );

test('the order and repetition of reports do not change who gets the places, and the limit is never exceeded', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3 })), {
        selector: ([id]) => id,
      }),
      fc.uniqueArray(fc.integer({ min: 1, max: 30 })),
      fc.infiniteStream(fc.nat()),
      (people, noMore, order) => {
        const last = people.map(([id, hour]) => states(id, noMore.includes(id) ? null : at(hour)));
        // All earlier states in random order, then the final states in any order.
        const mixed = [...people.map(([id, hour]) => states(id, at(hour))), ...last, ...last]
          .map((command) => ({ command, by: order.next().value! }))
          .sort((a, b) => a.by - b.by)
          .map(({ command }) => command);
        const [one, other] = [after(last), after([...mixed, ...last.toReversed()])];
        expect([...other.holders].sort()).toEqual([...one.holders].sort());
        expect(one.holders.size).toBe(Math.min(2, one.met.size));
      },
    ),
  ));

test('only challenges that are possible with this week’s events are created', () => {
  const types = (on: { day: string; place: string | null }[]) =>
    challengesFrom('2026-11-22', on).map(({ type }) => type);
  expect(types([])).toEqual([]);
  expect(types([{ day: '2026-11-24', place: null }])).toEqual(['photo']);
  const two = [1, 2].map(() => ({ day: '2026-11-24', place: 'Shaw, DC' }));
  expect(types(two)).toEqual(['town', 'photo']);
  const days = [...two, { day: '2026-11-25', place: 'Bethesda, MD' }, { day: '2026-11-26', place: 'Bethesda, MD' }];
  expect(types(days)).toEqual(['two-events', 'town', 'photo']);
  expect(challengesFrom('2026-11-22', days).map(({ place }) => place)).toEqual([null, 'Bethesda, MD', null]);
  expect(challengesFrom('2026-11-22', days.toReversed())).toEqual(challengesFrom('2026-11-22', days));
});

test('later weeks have higher challenge numbers', () => {
  const numbers = ['2026-11-22', '2026-11-29'].flatMap((week) =>
    (['photo', 'town', 'two-events'] as const).map((type) => challengeNumberOf({ week, type })),
  );
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test('a challenge is met when its last missing fact arrives, and counts only facts of its own week', () => {
  const two = { ...terms, type: 'two-events', place: null, maxProgress: 2 } as const;
  const attended = (day: string): ChallengeFact => ({
    ...{ kind: 'attended', day, place: 'Bethesda, MD', doneAt: new Date(`${day}T23:00:00Z`), isOfAttended: true },
  });
  const facts = ['2026-11-21', '2026-11-28', '2026-11-24', '2026-11-29'].map(attended);
  expect(progressIn(two, facts.slice(0, 2))).toEqual({ progress: 1, done: null });
  expect(progressIn(two, facts)).toEqual({ progress: 2, done: { at: '2026-11-28T23:00:00.000Z', day: '2026-11-28' } });
  expect(progressIn({ ...terms, place: 'Rockville, MD' }, facts).progress).toBe(0);
  const photo = { ...attended('2026-11-24'), kind: 'photo', isOfAttended: false } as const;
  const share = { ...terms, type: 'photo', place: null } as const;
  expect(progressIn(share, [...facts, photo]).progress).toBe(0);
  expect(progressIn(share, [{ ...photo, isOfAttended: true }]).progress).toBe(1);
});
