import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { Suspense } from 'react';
import { textsNow, useTexts } from '../../../lib/i18n/catalog.ts';
import { formatCount } from '../../../lib/i18n/format.ts';
import { lazily } from '../../../lib/loading/lazily.ts';
import { Meta } from '../../../ui/meta.tsx';
import { NotLoaded } from '../../../ui/not-loaded.tsx';
import { StatCards } from '../../../ui/stat-cards.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Panel } from './panel.tsx';
import { texts } from './texts.en.ts';
import { viewersOverTime } from './viewers-over-time.ts';

const ViewersChart = lazily(
  async () => (await import('./viewers-chart.tsx')).ViewersChart,
  () => <NotLoaded what={textsNow(texts)('theChart')} heading="h3" />,
);

/** The viewers now and over time, and afterwards the totals. */
export function ViewersPanel({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const { status, viewers, maxViewers } = broadcast;
  const spans = viewersOverTime(viewers.points);
  return (
    <Panel title={t('viewers')}>
      <StatCards
        cards={[
          ...(status === 'live'
            ? ([
                [t('watchingNow'), t('nowOf', { now: formatCount(viewers.now), most: formatCount(maxViewers) })],
              ] as const)
            : []),
          [t('mostAtATime'), formatCount(viewers.peak)],
          [t('inAll'), formatCount(viewers.total)],
          [t('minutesLive'), formatCount(viewers.points.length)],
        ]}
      />
      {spans.length > 0 ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <ViewersChart spans={spans} />
        </Suspense>
      ) : (
        <p className="text-ink-soft">{t('drawnHere')}</p>
      )}
      <Meta className="max-w-prose">{t('counted')}</Meta>
    </Panel>
  );
}
