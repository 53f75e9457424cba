import type { Broadcast } from '@beltway/contracts/broadcast';
import { Suspense } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { lazily } from '../../../lib/lazily.ts';
import { NotLoaded } from '../../../ui/not-loaded.tsx';
import { StatCards } from '../../../ui/stat-cards.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Panel } from './panel.tsx';
import { viewersOverTime } from './viewers-over-time.ts';

const ViewersChart = lazily(
  async () => (await import('./viewers-chart.tsx')).ViewersChart,
  () => <NotLoaded what="The chart" heading="h3" />,
);

/** Who watches now, who watched when, and the sums of it afterwards. */
export function ViewersPanel({ broadcast }: { broadcast: Broadcast }) {
  const { status, viewers, maxViewers } = broadcast;
  const spans = viewersOverTime(viewers.points);
  return (
    <Panel title="Viewers">
      <StatCards
        cards={[
          ...(status === 'live'
            ? ([['Watching now', `${formatCount(viewers.now)} of ${formatCount(maxViewers)}`]] as const)
            : []),
          ['Most at a time', formatCount(viewers.peak)],
          ['Viewers in all', formatCount(viewers.total)],
          ['Minutes live', formatCount(viewers.points.length)],
        ]}
      />
      {spans.length > 0 ? (
        <Suspense fallback={<Skeleton className="h-60" />}>
          <ViewersChart spans={spans} />
        </Suspense>
      ) : (
        <p className="text-ink-soft">Viewers over time are drawn here, minute by minute, while it is live.</p>
      )}
      <p className="max-w-prose text-note text-ink-soft">
        Counted are open pages that watch, so one person on two devices is two viewers.
      </p>
    </Panel>
  );
}
