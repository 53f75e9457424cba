import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { REFERRALS_A_MONTH, referralCodeFrom } from '@beltway/contracts/identity/referrals';
import { engagement } from '../decider.ts';
import type { Counted, EngagementCommand, EngagementEvent } from '../events.ts';

type Statement = Extract<EngagementCommand, { type: 'StateReferral' }>;
const given = scenarios(engagement);
const attends = (referredId: number, day: string | null): Statement => ({ type: 'StateReferral', referredId, day });
const stated = (referredId: number, day: string | null): EngagementEvent => ({
  type: 'ReferralStated',
  data: { referredId, day },
});
const reward = (subjectId: number, day: string, points = 50): Counted => ({
  ...{ kind: 'referral', subjectId, day, points },
  ...{ eventId: null, category: null, place: null, basis: null },
});
const counted = (subjectId: number, day: string, points?: number): EngagementEvent => ({
  type: 'FactCounted',
  data: reward(subjectId, day, points),
});
const back = (subjectId: number, day: string, points?: number): EngagementEvent => ({
  type: 'FactTakenBack',
  data: reward(subjectId, day, points),
});

test('a referred account brings one reward, when it attends an event for the first time', () => {
  given().when(attends(9, '2026-11-21')).yields(stated(9, '2026-11-21'), counted(9, '2026-11-21'));
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21')).when(attends(9, '2026-11-21')).yields();
});

test('the reward is taken back when no attended event of the account remains', () => {
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21'))
    .when(attends(9, null))
    .yields(stated(9, null), back(9, '2026-11-21'));
  given().when(attends(9, null)).yields();
});

test('if another attended event remains, the reward keeps its points and counts for the day of that event', () =>
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21', 30))
    .when(attends(9, '2026-12-05'))
    .yields(stated(9, '2026-12-05'), back(9, '2026-11-21', 30), counted(9, '2026-12-05', 30)));

const full = Array.from({ length: REFERRALS_A_MONTH }, (_, at) => at + 1).flatMap((id) => [
  stated(id, '2026-11-10'),
  counted(id, '2026-11-10'),
]);

test('there are at most ten rewards for a month, and another ten for the next month', () => {
  given(...full)
    .when(attends(99, '2026-11-21'))
    .yields(stated(99, '2026-11-21'));
  given(...full)
    .when(attends(99, '2026-12-01'))
    .yields(stated(99, '2026-12-01'), counted(99, '2026-12-01'));
});

test('an earlier attendance gets its reward even if reported later, and a withdrawn reward makes room', () => {
  given(...full)
    .when(attends(99, '2026-11-02'))
    .yields(stated(99, '2026-11-02'), back(10, '2026-11-10'), counted(99, '2026-11-02'));
  given(...full, stated(99, '2026-11-21'))
    .when(attends(3, null))
    .yields(stated(3, null), back(3, '2026-11-10'), counted(99, '2026-11-21'));
});

test('an erased account gets no rewards', () =>
  given({ type: 'EngagementErased', data: {} }).when(attends(9, '2026-11-21')).yields());

const after = (commands: readonly Statement[]) =>
  commands.reduce(
    (state, command) => engagement.decide(command, state).reduce(engagement.evolve, state),
    engagement.initial(),
  );
const rewards = (commands: readonly Statement[]) =>
  [...after(commands).facts.values()].map(({ subjectId, day, points }) => `${subjectId} ${day} ${points}`).toSorted();
const people = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 40 }),
    // All days reported for this account, in order. The last day is the true one.
    days: fc.array(
      fc.option(
        fc
          .integer({ min: 1, max: 60 })
          .map((at) => `2026-${at > 30 ? '12' : '11'}-${String((at % 28) + 1).padStart(2, '0')}`),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

test('order and repetition do not change the rewards, and a month never has more than ten', () =>
  fc.assert(
    fc.property(
      people.chain((all) => {
        const last = all.map(({ id, days }) => attends(id, days.at(-1)!));
        const before = all.flatMap(({ id, days }) => days.slice(0, -1).map((day) => attends(id, day)));
        return fc.tuple(
          fc.constant(last),
          fc.shuffledSubarray(before, { minLength: before.length }),
          fc.shuffledSubarray([...last, ...last], { minLength: 2 * last.length }),
        );
      }),
      ([last, before, mixed]) => {
        const plain = rewards(last);
        expect(rewards([...before, ...mixed])).toEqual(plain);
        for (const month of ['2026-11', '2026-12'])
          expect(plain.filter((one) => one.includes(` ${month}-`)).length).toBeLessThanOrEqual(REFERRALS_A_MONTH);
      },
    ),
  ));

test('a referral code is accepted in any spelling, and other texts are rejected', () => {
  expect(['K7Q29XWZ', ' k7q2-9xwz ', 'k7q2 9xwz'].map(referralCodeFrom)).toEqual(Array(3).fill('K7Q29XWZ'));
  for (const none of ['', 'K7Q29XW', 'K7Q29XWZZ', 'K7Q29XW0', 'K7Q29XWI', '<script>', '-'.repeat(10_000)])
    expect(referralCodeFrom(none), none.slice(0, 20)).toBeUndefined();
});
