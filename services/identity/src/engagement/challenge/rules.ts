import { ChallengeType } from '@beltway/contracts/identity/challenges';
import { daysAfter } from '@beltway/contracts/common/times';

/** Goal and reward of a challenge. The log stores all terms, so new rules do not change existing challenges. */
export interface ChallengeTerms {
  /** The Sunday on which the week begins. */
  week: string;
  type: ChallengeType;
  /** The town of a `town` challenge. null for other types. */
  place: string | null;
  reward: number;
  maxProgress: number;
  /** The number of rewards. null: unlimited. */
  places: number | null;
}

/** An event of the week whose tickets are still on sale. */
export interface EventOn {
  day: string;
  place: string | null;
}

/** The fields of a counted fact that challenges need. */
export interface ChallengeFact {
  kind: 'attended' | 'photo';
  day: string;
  place: string | null;
  /**
   * When the event ended. For a photo: the end of its event or the time when the photo was shown, whichever is later.
   */
  doneAt: Date;
  /** For a photo: whether its owner attended the event. */
  isOfAttended: boolean;
}

export const challengeIdOf = ({ week, type }: Pick<ChallengeTerms, 'week' | 'type'>): string => `${week}-${type}`;

const EPOCH = Date.parse('1970-01-01T00:00:00Z');
const TYPES_PER_WEEK = 10;
/** The challenge's number, used as the subject id of facts. Later weeks have higher numbers. */
export const challengeNumberOf = ({ week, type }: Pick<ChallengeTerms, 'week' | 'type'>): number =>
  ((Date.parse(`${week}T00:00:00Z`) - EPOCH) / 86_400_000) * TYPES_PER_WEEK + ChallengeType.options.indexOf(type);

/** The town with the most events. On a tie, the first in alphabetical order. */
function busiestTown(on: readonly EventOn[]): string | null {
  const counts = new Map<string, number>();
  for (const { place } of on) if (place !== null) counts.set(place, (counts.get(place) ?? 0) + 1);
  const [first] = [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

/**
 * The challenges that are possible with a week's events. A challenge to attend two events needs events on different
 * days, because events on the same day may overlap.
 */
export function challengesFrom(week: string, on: readonly EventOn[]): ChallengeTerms[] {
  const base = { week, place: null, maxProgress: 1, places: null };
  const made: ChallengeTerms[] = [];
  if (new Set(on.map(({ day }) => day)).size > 1)
    made.push({ ...base, type: 'two-events', reward: 50, maxProgress: 2 });
  const town = busiestTown(on);
  if (town !== null) made.push({ ...base, type: 'town', place: town, reward: 30, places: 20 });
  if (on.length > 0) made.push({ ...base, type: 'photo', reward: 15 });
  return made;
}

function counts({ type, place }: ChallengeTerms, fact: ChallengeFact): boolean {
  if (type === 'photo') return fact.kind === 'photo' && fact.isOfAttended;
  return fact.kind === 'attended' && (type === 'two-events' || fact.place === place);
}

/**
 * Progress in a challenge, and when the challenge was met. Depends only on the facts, not on the order in which they
 * arrived.
 */
export function progressIn(terms: ChallengeTerms, facts: readonly ChallengeFact[]) {
  const inWeek = ({ day }: ChallengeFact) => day >= terms.week && day < daysAfter(terms.week, 7);
  const counting = facts
    .filter((fact) => inWeek(fact) && counts(terms, fact))
    .sort((a, b) => a.doneAt.getTime() - b.doneAt.getTime() || (a.day < b.day ? -1 : 1));
  const last = counting[terms.maxProgress - 1];
  return {
    progress: Math.min(counting.length, terms.maxProgress),
    done: last ? { at: last.doneAt.toISOString(), day: last.day } : null,
  };
}

const TITLES: Record<ChallengeType, (place: string) => { title: string; description: string }> = {
  'two-events': () => ({ title: 'Two nights out', description: 'Attend two events this week' }),
  town: (place) => ({ title: `A night in ${place}`, description: `Attend an event in ${place} this week` }),
  photo: () => ({
    title: 'Show how it was',
    description: 'Share a photo of an event that you attended, this week',
  }),
};
/** The challenge's title and description in English. The frontend has texts of its own for each type. */
export const textsOf = ({ type, place }: Pick<ChallengeTerms, 'type' | 'place'>) => TITLES[type](place ?? '');
