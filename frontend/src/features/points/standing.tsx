import type { UserStats } from '@beltway/contracts/identity/points';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { Card } from '../../ui/card.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { texts } from './texts.en.ts';

/** A person's points, level, progress to the next level, and other figures. */
export const Standing = ({ stats }: { stats: UserStats }) => {
  const t = useTexts(texts);
  const { totalPoints, level, levelFrom, nextLevelAt, weeklyPoints } = stats;
  const { streak, eventsAttended, photosShared, connectionsMade } = stats;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Card ground="raised" aria-label={t('levelLabel')} className="gap-2">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-title">{t('level', { level: String(level) })}</span>
          <span className="tabular font-strong">
            {t('points', { number: formatCount(totalPoints), count: totalPoints })}
          </span>
        </p>
        <ProgressBar
          label={t('progressToLevel', { level: String(level + 1) })}
          value={totalPoints - levelFrom}
          max={nextLevelAt - levelFrom}
          text={t('moreToLevel', { points: formatCount(nextLevelAt - totalPoints), level: String(level + 1) })}
        />
      </Card>
      <StatCards
        narrow
        cards={[
          [t('pointsThisWeek'), formatCount(weeklyPoints)],
          [t('streak'), t('weeks', { number: formatCount(streak), count: streak })],
          [t('eventsAttended'), formatCount(eventsAttended)],
          [t('photosShared'), formatCount(photosShared)],
          [t('connectionsMade'), formatCount(connectionsMade)],
        ]}
      />
    </div>
  );
};
