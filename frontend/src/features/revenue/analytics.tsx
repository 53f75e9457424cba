import type { MoneyAnalytics } from '@beltway/contracts/platform';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { useSession } from '../../lib/session.ts';
import { Field, Select } from '../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { MoneyTable } from './money-table.tsx';
import { adsQuery, moneyQuery, ordersQuery, viewsQuery } from './api.ts';
import { SalesOverTime, Section } from './revenue-overview.tsx';

const PERIODS: ReadonlyArray<readonly [days: number, name: string]> = [
  [7, 'The last 7 days'],
  [30, 'The last 30 days'],
  [90, 'The last 90 days'],
  [366, 'The last year'],
];

/** How events are found, held and bought: counted, nothing made up. Each part is loaded, and fails, by itself. */
export function Analytics() {
  const [days, setDays] = useState(30);
  const money = useQuery(moneyQuery(days));
  const isAdmin = useSession().user?.role === 'admin';
  return (
    <div className="grid gap-8">
      <Field label="Time" className="w-full max-w-60">
        <Select value={days} onChange={({ target }) => setDays(Number(target.value))}>
          {PERIODS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Section title="Sales over time">
        <SalesOverTime days={days} />
      </Section>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <Section title="Top events">
          <Loaded query={money}>{({ topEvents }) => <TopEvents events={topEvents} />}</Loaded>
        </Section>
        <Conversion />
        <Section title="Promotions and ads">
          <Loaded query={money}>{(sold) => <Yield {...sold} />}</Loaded>
        </Section>
        {isAdmin && <AdsReached days={days} />}
      </div>
    </div>
  );
}

/** What a query answered; a skeleton or its fault in its place. */
function Loaded<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  if (query.isPending) return <Skeleton className="h-32" />;
  if (query.data === undefined)
    return (
      <ErrorState
        title="These figures could not be loaded"
        message={explain(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  return children(query.data);
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>;

const TopEvents = ({ events }: { events: MoneyAnalytics['topEvents'] }) =>
  events.length === 0 ? (
    <Nothing>Nothing was sold in this time.</Nothing>
  ) : (
    <MoneyTable
      by="Name"
      caption="Events with the highest revenue"
      rows={events.map(({ eventId, title, ...sold }) => ({
        ...sold,
        key: String(eventId),
        name: (
          <Link to={`/event/${eventId}`} className="inline-flex min-h-11 items-center hover:underline">
            <bdi>{title || `Event ${eventId}`}</bdi>
          </Link>
        ),
      }))}
    />
  );

const levels = { featured: 'Featured promotion', premium: 'Premium promotion', livestream: 'Livestream' };

function Yield({ promotions, ads }: Pick<MoneyAnalytics, 'promotions' | 'ads'>) {
  const rows = [
    ...promotions.map(({ level, ...sold }) => ({ ...sold, key: level, name: levels[level] })),
    ...ads.map(({ packageId, ...sold }) => ({ ...sold, key: `ad ${packageId}`, name: `Ad: ${packageId}` })),
  ];
  return rows.length === 0 ? (
    <Nothing>No promotion or ad was bought in this time.</Nothing>
  ) : (
    <MoneyTable by="Name" caption="What promotions and ads brought" rows={rows} />
  );
}

/** How often ads were shown and opened. */
function AdsReached({ days }: { days: number }) {
  const reached = useQuery(adsQuery(days));
  const head = 'py-2 pl-3 text-right font-regular';
  return (
    <Section title="What ads reached">
      <Loaded query={reached}>
        {({ packages }) =>
          packages.length === 0 ? (
            <Nothing>No ad was shown in this time.</Nothing>
          ) : (
            <table className="w-full border-collapse text-left tabular">
              <caption className="sr-only">How often ads were shown and opened</caption>
              <thead>
                <tr className="border-b border-line text-note text-ink-soft">
                  <th scope="col" className="py-2 font-regular">
                    Package
                  </th>
                  {['Ads', 'Shown', 'Opened', 'Rate'].map((name) => (
                    <th key={name} scope="col" className={head}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {packages.map(({ packageId, ads, impressions, clicks }) => (
                  <tr key={packageId} className="border-b border-line">
                    <th scope="row" className="py-2 font-regular [overflow-wrap:anywhere]">
                      {packageId}
                    </th>
                    <td className="py-2 pl-3 text-right">{formatCount(ads)}</td>
                    <td className="py-2 pl-3 text-right">{formatCount(impressions)}</td>
                    <td className="py-2 pl-3 text-right">{formatCount(clicks)}</td>
                    <td className="py-2 pl-3 text-right font-strong">
                      {impressions > 0 ? percent.format(clicks / impressions) : '–'}
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

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** From a look at an event to its tickets: of all time, since looks are only counted in all. */
function Conversion() {
  const views = useQuery(viewsQuery());
  const orders = useQuery(ordersQuery());
  return (
    <Section title="From view to ticket">
      <Loaded query={views}>
        {(seen) => <Loaded query={orders}>{(ordered) => <Steps views={seen.views} {...ordered} />}</Loaded>}
      </Loaded>
    </Section>
  );
}

function Steps({ views, holds, paid }: { views: number; holds: number; paid: number }) {
  const steps = [
    ['Views of events with tickets', views, null],
    ['Orders begun', holds, views],
    ['Orders paid', paid, holds],
  ] as const;
  const most = Math.max(1, views, holds, paid);
  return (
    <>
      <ol className="grid gap-3">
        {steps.map(([name, count, before]) => (
          <li key={name} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-4 tabular">
              <span>{name}</span>
              <span>
                <span className="font-strong">{formatCount(count)}</span>
                {before ? (
                  <span className="text-ink-soft"> · {percent.format(count / before)} of the step before</span>
                ) : null}
              </span>
            </p>
            <div aria-hidden className="h-3 overflow-hidden rounded-full bg-sunken">
              <div className="h-full rounded-full bg-metro-blue" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
      <p className="max-w-prose text-note text-ink-soft">
        Of all time. A view is a visitor of an event’s page, once a day; one visitor may begin several orders.
      </p>
    </>
  );
}
