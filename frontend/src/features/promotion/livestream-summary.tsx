import type { LivestreamConfig } from '@beltway/contracts/livestream';
import { formatCount, sayMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { durationOf } from './livestream-config.ts';

/** What was configured; null: nothing yet. */
export function LivestreamSummary({ config }: { config: LivestreamConfig | null }) {
  if (!config) return <p className="text-note text-ink-soft">Not configured yet</p>;
  const { startTime, endTime, maxViewers, chatEnabled, recordingEnabled } = config;
  const rows = [
    ['Starts', sayMoment(startTime)],
    ['Ends', sayMoment(endTime)],
    ['Duration', durationOf(config)],
    ['Max viewers', formatCount(maxViewers)],
  ];
  return (
    <div className="grid gap-3">
      <dl className="grid gap-1.5 text-note tabular">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="font-strong">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="flex flex-wrap gap-2">
        <Badge tone={chatEnabled ? 'success' : 'neutral'}>{chatEnabled ? 'Live chat on' : 'No live chat'}</Badge>
        <Badge tone={recordingEnabled ? 'success' : 'neutral'}>
          {recordingEnabled ? 'Recording on' : 'No recording'}
        </Badge>
      </p>
    </div>
  );
}
