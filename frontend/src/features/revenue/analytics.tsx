import type { MoneyAnalytics } from '@beltway/contracts/payments/platform';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPercent } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { Field, Select } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { MoneyTable } from './money-table.tsx';
import { adsQuery, moneyQuery, ordersQuery, viewsQuery } from './api.ts';
import { SalesOverTime, Section } from './revenue-overview.tsx';
import { texts } from './texts.en.ts';

const PERIODS = [7, 30, 90, 366] as const;

/** Measured figures of how events are found, held and bought. Each section loads, and fails, separately. */
export function Analytics() {
  const t = useTexts(texts);
  const [days, setDays] = useState(30);
  const money = useQuery(moneyQuery(days));
  const isAdmin = useSession().user?.role === 'admin';
  return (
    <div className="grid gap-8">
      <Field label={t('time')} className="w-full max-w-60">
        <Select value={days} onChange={({ target }) => setDays(Number(target.value))}>
          {PERIODS.map((value) => (
            <option key={value} value={value}>
              {t(`days${value}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Section title={t('overTime')}>
        <SalesOverTime days={days} />
      </Section>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <Section title={t('topEvents')}>
          <Loaded query={money}>{({ topEvents }) => <TopEvents events={topEvents} />}</Loaded>
        </Section>
        <Conversion />
        <Section title={t('promotionsAndAds')}>
          <Loaded query={money}>{(sold) => <Yield {...sold} />}</Loaded>
        </Section>
        {isAdmin && <AdsReached days={days} />}
      </div>
    </div>
  );
}

/** Renders a query's data, or its skeleton or error. */
function Loaded<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  const t = useTexts(texts);
  if (query.isPending) return <Skeleton className="h-32" />;
  if (query.data === undefined)
    return (
      <ErrorState
        title={t('figuresNotLoaded')}
        message={explain(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  return children(query.data);
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>;

function TopEvents({ events }: { events: MoneyAnalytics['topEvents'] }) {
  const t = useTexts(texts);
  return events.length === 0 ? (
    <Nothing>{t('nothingSold')}</Nothing>
  ) : (
    <MoneyTable
      by={t('name')}
      caption={t('highest')}
      rows={events.map(({ eventId, title, ...sold }) => ({
        ...sold,
        key: String(eventId),
        name: (
          <Link to={`/event/${eventId}`} className="inline-flex min-h-11 items-center hover:underline">
            <bdi>{title || t('event', { id: String(eventId) })}</bdi>
          </Link>
        ),
      }))}
    />
  );
}

function Yield({ promotions, ads }: Pick<MoneyAnalytics, 'promotions' | 'ads'>) {
  const t = useTexts(texts);
  const rows = [
    ...promotions.map(({ level, ...sold }) => ({ ...sold, key: level, name: t(level) })),
    ...ads.map(({ packageId, ...sold }) => ({ ...sold, key: `ad ${packageId}`, name: t('ad', { name: packageId }) })),
  ];
  return rows.length === 0 ? (
    <Nothing>{t('noneBought')}</Nothing>
  ) : (
    <MoneyTable by={t('name')} caption={t('broughtWhat')} rows={rows} />
  );
}

/** Table of how often ads were shown and opened. */
function AdsReached({ days }: { days: number }) {
  const t = useTexts(texts);
  const reached = useQuery(adsQuery(days));
  const head = 'py-2 pl-3 text-right font-regular';
  return (
    <Section title={t('adsReached')}>
      <Loaded query={reached}>
        {({ packages }) =>
          packages.length === 0 ? (
            <Nothing>{t('noneShown')}</Nothing>
          ) : (
            <table className="w-full border-collapse text-left tabular">
              <caption className="sr-only">{t('howOften')}</caption>
              <thead>
                <tr className="border-b border-line text-note text-ink-soft">
                  <th scope="col" className="py-2 font-regular">
                    {t('package')}
                  </th>
                  {(['ads', 'shown', 'opened', 'rate'] as const).map((name) => (
                    <th key={name} scope="col" className={head}>
                      {t(name)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {packages.map(({ packageId, ads, impressions, clicks }) => (
                  <tr key={packageId} className="border-b border-line">
                    <th scope="row" className="py-2 font-regular wrap-anywhere">
                      {packageId}
                    </th>
                    <td className="py-2 pl-3 text-right">{formatCount(ads)}</td>
                    <td className="py-2 pl-3 text-right">{formatCount(impressions)}</td>
                    <td className="py-2 pl-3 text-right">{formatCount(clicks)}</td>
                    <td className="py-2 pl-3 text-right font-strong">
                      {impressions > 0 ? formatPercent(clicks / impressions) : NO_RATE}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Section>
  );
}

const NO_RATE = '–';

/** Conversion from event views to tickets. Covers all time, because views have no dates. */
function Conversion() {
  const t = useTexts(texts);
  const views = useQuery(viewsQuery());
  const orders = useQuery(ordersQuery());
  return (
    <Section title={t('conversion')}>
      <Loaded query={views}>
        {(seen) => <Loaded query={orders}>{(ordered) => <Steps views={seen.views} {...ordered} />}</Loaded>}
      </Loaded>
    </Section>
  );
}

function Steps({ views, holds, paid }: { views: number; holds: number; paid: number }) {
  const t = useTexts(texts);
  const steps = [
    ['views', views, null],
    ['begun', holds, views],
    ['paid', paid, holds],
  ] as const;
  const most = Math.max(1, views, holds, paid);
  return (
    <>
      <ol className="grid gap-3">
        {steps.map(([name, count, before]) => (
          <li key={name} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-4 tabular">
              <span>{t(name)}</span>
              <span>
                {before ? (
                  t.rich('ofBefore', {
                    ...{ count: formatCount(count), share: formatPercent(count / before) },
                    strong: (words) => <span className="font-strong">{words}</span>,
                    soft: (words) => <span className="text-ink-soft">{words}</span>,
                  })
                ) : (
                  <span className="font-strong">{formatCount(count)}</span>
                )}
              </span>
            </p>
            <div aria-hidden className="h-3 overflow-hidden rounded-full bg-sunken">
              <div className="h-full rounded-full bg-metro-blue" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
      <Meta className="max-w-prose">{t('allTime')}</Meta>
    </>
  );
}
