import type { UserStats } from '@beltway/contracts/points';
import { formatCount } from '../../lib/format.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ProgressBar } from './progress-bar.tsx';

const weeksText = (weeks: number) => (weeks === 1 ? '1 week' : `${formatCount(weeks)} weeks`);

/** What is counted of a person: points, the level with the way to the next one, and the rest in figures. */
export const Standing = ({ stats }: { stats: UserStats }) => {
  const { totalPoints, level, levelFrom, nextLevelAt, weeklyPoints, streak, eventsAttended, photosShared } = stats;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section aria-label="Level" className="grid gap-2 rounded-lg border border-line bg-raised px-4 py-4 sm:px-5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-title">Level {level}</span>
          <span className="tabular font-strong">
            {formatCount(totalPoints)} {totalPoints === 1 ? 'point' : 'points'}
          </span>
        </p>
        <ProgressBar
          label={`Progress to level ${level + 1}`}
          value={totalPoints - levelFrom}
          max={nextLevelAt - levelFrom}
          text={`${formatCount(nextLevelAt - totalPoints)} more to level ${level + 1}`}
        />
      </section>
      <StatCards
        cards={[
          ['Points this week', formatCount(weeklyPoints)],
          ['Streak', weeksText(streak)],
          ['Events attended', formatCount(eventsAttended)],
          ['Photos shared', formatCount(photosShared)],
        ]}
      />
    </div>
  );
};
