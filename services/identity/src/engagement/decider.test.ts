import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { measuresOf } from '@beltway/contracts/identity/badges';
import { engagement, type EngagementState } from './decider.ts';
import type { Counted, EngagementCommand, EngagementEvent } from './events.ts';
import { levelFrom, levelOf, streakOf, weekOf } from '@beltway/contracts/identity/point-rules';

type Statement = Extract<EngagementCommand, { type: 'StateFact' }>;
const given = scenarios(engagement);
const fact = { eventId: 7, day: '2026-11-21', category: 'music', place: 'Shaw, DC', basis: 'ticket-held' } as const;
const attends: Statement = { type: 'StateFact', kind: 'attended', subjectId: 7, fact };
const counted: Counted = { kind: 'attended', subjectId: 7, points: 20, ...fact };
const isCounted: EngagementEvent = { type: 'FactCounted', data: counted };
const unlocked: EngagementEvent = { type: 'BadgeUnlocked', data: { badgeId: 'first-event' } };

test('an attended event counts once and unlocks its badge', () => {
  given().when(attends).yields(isCounted, unlocked);
  given(isCounted, unlocked).when(attends).yields();
});

test('a refund takes points and badge back, and changes nothing if nothing was counted', () => {
  const refund: Statement = { ...attends, fact: null };
  given(isCounted, unlocked)
    .when(refund)
    .yields({ type: 'FactTakenBack', data: counted }, { type: 'BadgeTakenBack', data: { badgeId: 'first-event' } });
  given().when(refund).yields();
});

test('a rescheduled event counts for its new day', () => {
  const moved = { ...fact, day: '2026-11-28' };
  given(isCounted, unlocked)
    .when({ ...attends, fact: moved })
    .yields({ type: 'FactTakenBack', data: counted }, { type: 'FactCounted', data: { ...counted, ...moved } });
});

test('a fact that changed in any way is counted again', () => {
  for (const change of [{ eventId: 8 }, { category: 'food' }, { place: 'Takoma Park, MD' }, { basis: null }])
    given(isCounted, unlocked)
      .when({ ...attends, fact: { ...fact, ...change } })
      .yields({ type: 'FactTakenBack', data: counted }, { type: 'FactCounted', data: { ...counted, ...change } });
});

test('the reward of a challenge counts once, for its own day, and can be taken back', () => {
  const reward = { day: '2026-11-24', points: 30 };
  const states = (of: typeof reward | null): EngagementCommand => ({ type: 'StateReward', challenge: 5, reward: of });
  const nowhere = { eventId: null, category: null, place: null, basis: null };
  const data: Counted = { kind: 'challenge', subjectId: 5, ...reward, ...nowhere };
  given().when(states(reward)).yields({ type: 'FactCounted', data });
  given({ type: 'FactCounted', data }).when(states(reward)).yields();
  given({ type: 'FactCounted', data }).when(states(null)).yields({ type: 'FactTakenBack', data });
  given().when(states(null)).yields();
});

test('an account is hidden until it chooses to be visible, and each choice is recorded once', () => {
  const choose = (isVisible: boolean): EngagementCommand => ({ type: 'ChooseVisibility', isVisible });
  const chosen = (isVisible: boolean): EngagementEvent => ({ type: 'VisibilityChosen', data: { isVisible } });
  given().when(choose(false)).yields();
  given().when(choose(true)).yields(chosen(true));
  given(chosen(true)).when(choose(true)).yields();
  given(chosen(true)).when(choose(false)).yields(chosen(false));
});

test('an account’s points are erased once', () => {
  const erased: EngagementEvent = { type: 'EngagementErased', data: {} };
  given(isCounted).when({ type: 'EraseEngagement' }).yields(erased);
  given(isCounted, erased).when({ type: 'EraseEngagement' }).yields();
});

test('an erased account gets no points', () =>
  given(isCounted, { type: 'EngagementErased', data: {} }).when(attends).yields());

const statement: fc.Arbitrary<Statement> = fc
  .record({
    kind: fc.constantFrom('attended' as const, 'photo' as const),
    subjectId: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ kind, subjectId }) => ({
    ...{ type: 'StateFact', kind, subjectId },
    fact: {
      ...{ eventId: subjectId, day: `2026-11-${String((subjectId % 28) + 1).padStart(2, '0')}` },
      ...{ category: subjectId % 3 ? 'music' : 'food', place: `Place ${subjectId % 6}`, basis: null },
    },
  }));
const after = (commands: readonly Statement[], from: EngagementState = engagement.initial()) =>
  commands.reduce(
    (state, command) => engagement.decide(command, state).reduce((now, event) => engagement.evolve(now, event), state),
    from,
  );
/** The totals of a state, in a fixed order so that they can be compared. */
const totals = ({ facts, badges }: EngagementState) => ({
  points: [...facts.values()].reduce((sum, { points }) => sum + points, 0),
  measures: measuresOf(facts.values()),
  badges: [...badges].sort(),
});

test('facts in any order and with repeats give the same totals', () =>
  fc.assert(
    fc.property(
      fc
        .array(statement, { maxLength: 60 })
        .chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2, maxLength: all.length * 2 }),
          ),
        ),
      ([all, mixed]) => {
        expect(totals(after(mixed))).toEqual(totals(after(all)));
      },
    ),
  ));

test('taking facts back restores the previous state', () =>
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 40 }), fc.array(statement, { maxLength: 20 }), (before, more) => {
      const known = new Set(before.map(({ kind, subjectId }) => `${kind} ${subjectId}`));
      const added = more.filter(({ kind, subjectId }) => !known.has(`${kind} ${subjectId}`));
      const back = added.map((one): Statement => ({ ...one, fact: null }));
      expect(totals(after([...before, ...added, ...back]))).toEqual(totals(after(before)));
    }),
  ));

test('levels begin at 0, 100, 300 and 600 points', () => {
  expect([1, 2, 3, 4].map(levelFrom)).toEqual([0, 100, 300, 600]);
  expect([0, 99, 100, 299, 300].map(levelOf)).toEqual([1, 1, 2, 2, 3]);
});

test('a streak counts weeks that begin on Sunday, up to this week or the last one', () => {
  expect(['2026-11-21', '2026-11-22'].map(weekOf)).toEqual(['2026-11-15', '2026-11-22']);
  const weeks = ['2026-11-15', '2026-11-08', '2026-10-25'];
  expect(streakOf(weeks, '2026-11-15')).toBe(2);
  expect(streakOf(weeks, '2026-11-22')).toBe(2);
  expect(streakOf(weeks, '2026-11-29')).toBe(0);
});
