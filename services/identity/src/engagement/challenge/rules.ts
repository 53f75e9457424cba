import { ChallengeType } from '@beltway/contracts/identity/challenges';
import { daysAfter } from '@beltway/contracts/common/times';

/** What a challenge asks for and gives. Stands whole in the log: other rules from today on change none that was made. */
export interface ChallengeTerms {
  /** The Sunday its week begins on. */
  week: string;
  type: ChallengeType;
  /** Of `town` where; else null. */
  place: string | null;
  reward: number;
  maxProgress: number;
  /** So many get the reward; null: everybody who meets it. */
  places: number | null;
}

/** An event of the week that one can still get a ticket for. */
export interface EventOn {
  day: string;
  place: string | null;
}

/** Of what is counted, as challenges look at it. */
export interface ChallengeFact {
  kind: 'attended' | 'photo';
  day: string;
  place: string | null;
  /** When the event was over, or the photo was shown; of a photo the later of both. */
  doneAt: Date;
  /** Of a photo: whether its event was attended. */
  isOfAttended: boolean;
}

export const challengeIdOf = ({ week, type }: Pick<ChallengeTerms, 'week' | 'type'>): string => `${week}-${type}`;

const EPOCH = Date.parse('1970-01-01T00:00:00Z');
const TYPES_PER_WEEK = 10;
/** The number of a challenge among facts: later weeks have higher ones. */
export const challengeNumberOf = ({ week, type }: Pick<ChallengeTerms, 'week' | 'type'>): number =>
  ((Date.parse(`${week}T00:00:00Z`) - EPOCH) / 86_400_000) * TYPES_PER_WEEK + ChallengeType.options.indexOf(type);

/** Where most is on; of as much, the first by name. */
function busiestTown(on: readonly EventOn[]): string | null {
  const counts = new Map<string, number>();
  for (const { place } of on) if (place !== null) counts.set(place, (counts.get(place) ?? 0) + 1);
  const [first] = [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

/** What a week's events let one meet: none that nobody could. Two events are of two days, for those of one day may meet in their hours. */
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

/** How far the facts of its week go, and when it was met. Follows from them alone, in whatever order they came. */
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
/** In English; the page has texts of its own by type. */
export const textsOf = ({ type, place }: Pick<ChallengeTerms, 'type' | 'place'>) => TITLES[type](place ?? '');
