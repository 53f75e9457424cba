import { HomeStats } from '@beltway/contracts/catalog/stats';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/** Shown only in demo mode, where the events are samples too. */
const SAMPLES = { users: '50K+', events: '500+', engagement: '85%' };

const LABELS = [
  { of: 'users', hint: 'usersHint' },
  { of: 'events', hint: 'eventsHint' },
  { of: 'engagement', hint: 'engagementHint' },
] as const;

/**
 * The figures on the pricing page. They are measured, or in demo mode samples, which are marked as samples. Unknown
 * figures and zeros are hidden.
 */
export function HeroStats() {
  const t = useTexts(texts);
  const config = useQuery(configQuery()).data;
  const isDemo = config !== undefined && config.demo !== null;
  const measured = useQuery({ ...apiQuery(HomeStats, '/api/stats'), enabled: config !== undefined && !isDemo }).data;
  const values = isDemo
    ? SAMPLES
    : measured && {
        users: measured.activeUsers === null ? null : formatCount(measured.activeUsers),
        events: formatCount(measured.eventsThisMonth),
        engagement: measured.engagementPercent === null ? null : `${measured.engagementPercent}%`,
      };
  if (!values) return null;
  const shown = LABELS.filter(({ of }) => values[of] !== null && values[of] !== '0');
  if (shown.length === 0) return null;
  return (
    <div className="grid gap-2">
      <dl className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
        {shown.map(({ of, hint }) => (
          <div key={of} className="flex flex-col-reverse justify-end rounded-lg border border-line bg-surface p-4">
            <dt className="text-note font-strong">
              {t(of)}
              {!isDemo && <span className="block font-regular text-ink-soft">{t(hint)}</span>}
            </dt>
            <dd className="tabular font-display text-heading font-strong">{values[of]}</dd>
          </div>
        ))}
      </dl>
      {isDemo && <Meta>{t('samples')}</Meta>}
    </div>
  );
}
