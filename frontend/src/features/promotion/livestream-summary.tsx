import type { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { formatCount, sayMoment } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Meta } from '../../ui/meta.tsx';
import { durationOf } from './livestream-config.ts';
import { texts } from './texts.en.ts';

/** Summary of the configuration, or a note while there is none. */
export function LivestreamSummary({ config }: { config: LivestreamConfig | null }) {
  const t = useTexts(texts);
  const now = useClock();
  if (!config) return <Meta>{t('notConfigured')}</Meta>;
  const { startTime, endTime, maxViewers, chatEnabled, recordingEnabled } = config;
  const rows = [
    [t('starts'), sayMoment(startTime, now)],
    [t('ends'), sayMoment(endTime, now)],
    [t('duration'), durationOf(config)],
    [t('maxViewers'), formatCount(maxViewers)],
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
        <Badge tone={chatEnabled ? 'success' : 'neutral'}>{chatEnabled ? t('chatOn') : t('chatOff')}</Badge>
        <Badge tone={recordingEnabled ? 'success' : 'neutral'}>
          {recordingEnabled ? t('recordingOn') : t('recordingOff')}
        </Badge>
      </p>
    </div>
  );
}
