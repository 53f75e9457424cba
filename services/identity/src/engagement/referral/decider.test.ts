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

test('somebody who was referred brings a reward once, when they attend for the first time', () => {
  given().when(attends(9, '2026-11-21')).yields(stated(9, '2026-11-21'), counted(9, '2026-11-21'));
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21')).when(attends(9, '2026-11-21')).yields();
});

test('the reward is taken back when they have attended nothing any more', () => {
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21'))
    .when(attends(9, null))
    .yields(stated(9, null), back(9, '2026-11-21'));
  given().when(attends(9, null)).yields();
});

test('while they have another event the reward stays at what it was, and counts for that day', () =>
  given(stated(9, '2026-11-21'), counted(9, '2026-11-21', 30))
    .when(attends(9, '2026-12-05'))
    .yields(stated(9, '2026-12-05'), back(9, '2026-11-21', 30), counted(9, '2026-12-05', 30)));

const full = Array.from({ length: REFERRALS_A_MONTH }, (_, at) => at + 1).flatMap((id) => [
  stated(id, '2026-11-10'),
  counted(id, '2026-11-10'),
]);

test('one month brings ten rewards at most, and the next one has its own', () => {
  given(...full)
    .when(attends(99, '2026-11-21'))
    .yields(stated(99, '2026-11-21'));
  given(...full)
    .when(attends(99, '2026-12-01'))
    .yields(stated(99, '2026-12-01'), counted(99, '2026-12-01'));
});

test('one that attended earlier and is heard of later has the place; one that is taken back makes room', () => {
  given(...full)
    .when(attends(99, '2026-11-02'))
    .yields(stated(99, '2026-11-02'), back(10, '2026-11-10'), counted(99, '2026-11-02'));
  given(...full, stated(99, '2026-11-21'))
    .when(attends(3, null))
    .yields(stated(3, null), back(3, '2026-11-10'), counted(99, '2026-11-21'));
});

test('nothing is rewarded of an account that is no more', () =>
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
    // What was said of them, the last of which is so.
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

test('any order and repetition comes to the same rewards, never more than ten of a month', () =>
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

test('a code is read however it is typed, and nothing else is one', () => {
  expect(['K7Q29XWZ', ' k7q2-9xwz ', 'k7q2 9xwz'].map(referralCodeFrom)).toEqual(Array(3).fill('K7Q29XWZ'));
  for (const none of ['', 'K7Q29XW', 'K7Q29XWZZ', 'K7Q29XW0', 'K7Q29XWI', '<script>', '-'.repeat(10_000)])
    expect(referralCodeFrom(none), none.slice(0, 20)).toBeUndefined();
});
