import type { InstanceFound, InstanceStatus } from '@beltway/contracts/ops/instances';
import { useQuery } from '@tanstack/react-query';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { servicesQuery } from './api.ts';
import { formatSpan } from './spans.ts';
import { texts } from './texts.en.ts';

/** The lag of a follower or consumer group; null: unknown. */
interface Lag {
  name: string;
  count: number | null;
  text: string;
}

function lagsOf({ followers, groups }: InstanceStatus): Lag[] {
  const t = textsNow(texts);
  const say = (key: 'eventsBehind' | 'messagesBehind', count: number) => t(key, { count, number: formatCount(count) });
  const sayEvents = (count: number, seconds: number | null) => {
    const events = say('eventsBehind', count);
    return seconds ? t('eventsFor', { events, span: formatSpan(seconds) }) : events;
  };
  return [
    ...followers.map(({ name, events, seconds }) => ({
      name,
      count: events,
      text: events === null ? t('unknown') : sayEvents(events, seconds),
    })),
    ...groups.map(({ group, messages }) => ({
      name: group,
      count: messages,
      text: messages === null ? t('unknown') : say('messagesBehind', messages),
    })),
  ];
}

/** All instances of all services, polled every 15 seconds. */
export function Services() {
  const t = useTexts(texts);
  const found = useQuery(servicesQuery());
  const { data } = found;
  if (!data)
    return found.isError ? (
      <ErrorState
        title={t('servicesNotLoaded')}
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    ) : (
      <Loading label={t('servicesLoading')} className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {[1, 2, 3].map((at) => (
          <Skeleton key={at} className="h-40 rounded-lg" />
        ))}
      </Loading>
    );
  const instances = data.services.flatMap((service) => service.instances);
  const ready = instances.filter(({ status }) => status?.ready).length;
  const behind = instances.filter(({ status }) => status && lagsOf(status).some(({ count }) => count !== 0)).length;
  return (
    <div className="grid gap-5">
      <StatCards
        cards={[
          [t('instances'), formatCount(instances.length)],
          [t('ready'), formatCount(ready)],
          [t('behind'), formatCount(behind)],
        ]}
      />
      <Meta role={found.isError ? 'alert' : undefined}>
        {found.isError && <>{t('notRenewed', { why: explain(found.error) })} </>}
        {t.rich('asOf', {
          when: formatMoment(data.at),
          time: (words) => <time dateTime={data.at}>{words}</time>,
        })}
      </Meta>
      <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {data.services.flatMap(({ service, instances: of }) =>
          of.map((instance) => (
            <li key={`${service} ${instance.address}`} className="grid">
              <Instance service={service} {...instance} />
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

function Instance({ service, address, status, problem }: InstanceFound & { service: string }) {
  const t = useTexts(texts);
  return (
    <Card as="article" aria-label={t('labelOf', { service, address })} className="content-start gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-title">{service}</h2>
        <Badge tone={status?.ready ? 'success' : 'danger'}>
          {status ? (status.ready ? t('isReady') : t('notReady')) : t('noAnswer')}
        </Badge>
        <Meta as="span" className="tabular ml-auto wrap-anywhere">
          {address}
        </Meta>
      </div>
      {status ? <StatusOf status={status} /> : <p className="text-note">{problem}</p>}
    </Card>
  );
}

function StatusOf({ status }: { status: InstanceStatus }) {
  const t = useTexts(texts);
  const version = status.version ?? t('unknown');
  const lags = lagsOf(status);
  const late = lags.filter(({ count }) => count !== 0);
  const failed = Object.entries(status.failed);
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-note">
        <dt className="text-ink-soft">{t('version')}</dt>
        <dd className="tabular wrap-anywhere">
          {status.commit ? t('versionCommit', { version, commit: status.commit.slice(0, 12) }) : version}
        </dd>
        <dt className="text-ink-soft">{t('upFor')}</dt>
        <dd className="tabular">{formatSpan(status.uptimeSeconds)}</dd>
        <dt className="text-ink-soft">{t('lag')}</dt>
        <dd className="tabular">
          {lags.length === 0 && t('followsNothing')}
          {lags.length > 0 && late.length === 0 && t('noLag')}
          {late.map(({ name, text }) => (
            <span key={name} className="block wrap-anywhere">
              {t('nameAnd', { name, text })}
            </span>
          ))}
        </dd>
      </dl>
      {failed.length > 0 && (
        <ul className="grid gap-1 text-note text-danger-ink">
          {failed.map(([name, reason]) => (
            <li key={name} className="wrap-anywhere">
              {t('nameAnd', { name, text: reason })}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
