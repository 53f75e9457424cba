import { longestStreakOf, weekOf } from './point-rules.ts';
import type { Badge, BadgeMeasure, PointsKind } from './points.ts';

/** Fields of a fact that badges depend on. `day` is in New York, "2026-11-21". */
interface Fact {
  kind: PointsKind;
  day: string;
  category: string | null;
  place: string | null;
}

type Given = Pick<Badge, 'name' | 'description' | 'icon' | 'rarity'>;
const badge = (id: string, measure: BadgeMeasure, count: number, given: Given): Badge => ({
  ...{ id, ...given },
  requirement: { measure, count },
});

/** All badges. Never reuse an id, because the log contains the ids. */
export const BADGES: readonly Badge[] = [
  badge('first-event', 'eventsAttended', 1, {
    ...{ name: 'First night out', description: 'Attend an event', icon: 'ticket', rarity: 'common' },
  }),
  badge('five-events', 'eventsAttended', 5, {
    ...{ name: 'Regular', description: 'Attend 5 events', icon: 'calendar-check', rarity: 'common' },
  }),
  badge('twenty-five-events', 'eventsAttended', 25, {
    ...{ name: 'Local legend', description: 'Attend 25 events', icon: 'crown', rarity: 'epic' },
  }),
  badge('hundred-events', 'eventsAttended', 100, {
    ...{ name: 'All around the Beltway', description: 'Attend 100 events', icon: 'trophy', rarity: 'legendary' },
  }),
  badge('first-photo', 'photosShared', 1, {
    ...{ name: 'First shot', description: 'Share a photo in the gallery', icon: 'camera', rarity: 'common' },
  }),
  badge('twenty-photos', 'photosShared', 20, {
    ...{ name: 'Photographer', description: 'Share 20 photos in the gallery', icon: 'images', rarity: 'rare' },
  }),
  badge('four-weeks', 'longestStreak', 4, {
    ...{ name: 'Four in a row', description: 'Attend events 4 weeks in a row', icon: 'flame', rarity: 'rare' },
  }),
  badge('ten-music-events', 'musicEvents', 10, {
    ...{ name: 'Music lover', description: 'Attend 10 music events', icon: 'music', rarity: 'rare' },
  }),
  badge('five-places', 'places', 5, {
    ...{ name: 'Explorer', description: 'Attend events in 5 places', icon: 'map', rarity: 'rare' },
  }),
  badge('first-connection', 'connectionsMade', 1, {
    ...{ name: 'Good company', description: 'Connect with someone you met', icon: 'handshake', rarity: 'common' },
  }),
];

/**
 * Computes the measures that badges require. The measures depend only on the set of facts, not on the order of the
 * facts.
 */
export function measuresOf(facts: Iterable<Fact>) {
  const all = [...facts];
  const attended = all.filter(({ kind }) => kind === 'attended');
  const measures: Record<BadgeMeasure, number> = {
    eventsAttended: attended.length,
    photosShared: all.filter(({ kind }) => kind === 'photo').length,
    longestStreak: longestStreakOf(attended.map(({ day }) => weekOf(day))),
    musicEvents: attended.filter(({ category }) => category === 'music').length,
    places: new Set(attended.flatMap(({ place }) => place ?? [])).size,
    connectionsMade: all.filter(({ kind }) => kind === 'connection').length,
  };
  return measures;
}

export const isEarned = ({ requirement: { measure, count } }: Badge, measures: Record<BadgeMeasure, number>): boolean =>
  measures[measure] >= count;
