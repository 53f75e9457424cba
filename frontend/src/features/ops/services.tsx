import type { InstanceFound, InstanceStatus } from '@beltway/contracts/instances';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { servicesQuery } from './api.ts';
import { formatSpan } from './spans.ts';

/** A follower or group, and how far it is behind; null: nobody said. */
interface Lag {
  name: string;
  count: number | null;
  text: string;
}

const counted = (number: number, of: string): string => `${formatCount(number)} ${of}${number === 1 ? '' : 's'}`;

const lagsOf = ({ followers, groups }: InstanceStatus): Lag[] => [
  ...followers.map(({ name, events, seconds }) => ({
    name,
    count: events,
    text: events === null ? 'unknown' : `${counted(events, 'event')}${seconds ? `, ${formatSpan(seconds)}` : ''}`,
  })),
  ...groups.map(({ group, messages }) => ({
    name: group,
    count: messages,
    text: messages === null ? 'unknown' : counted(messages, 'message'),
  })),
];

/** Every instance of every service, asked again every 15 seconds. */
export function Services() {
  const found = useQuery(servicesQuery());
  const { data } = found;
  if (!data)
    return found.isError ? (
      <ErrorState
        title="The services could not be loaded"
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    ) : (
      <Loading label="The services are loading" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
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
          ['Instances', formatCount(instances.length)],
          ['Ready', formatCount(ready)],
          ['Behind', formatCount(behind)],
        ]}
      />
      <p className="text-note text-ink-soft" role={found.isError ? 'alert' : undefined}>
        {found.isError ? `Not renewed: ${explain(found.error)} ` : ''}
        As of <time dateTime={data.at}>{formatMoment(data.at)}</time>. Of several gateways the one that answered is
        shown.
      </p>
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
  return (
    <article
      aria-label={`${service}, ${address}`}
      className="grid content-start gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-title">{service}</h2>
        <Badge tone={status?.ready ? 'success' : 'danger'}>
          {status ? (status.ready ? 'Ready' : 'Not ready') : 'No answer'}
        </Badge>
        <span className="tabular ml-auto text-note text-ink-soft [overflow-wrap:anywhere]">{address}</span>
      </div>
      {status ? <StatusOf status={status} /> : <p className="text-note">{problem}</p>}
    </article>
  );
}

function StatusOf({ status }: { status: InstanceStatus }) {
  const lags = lagsOf(status);
  const late = lags.filter(({ count }) => count !== 0);
  const failed = Object.entries(status.failed);
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-note">
        <dt className="text-ink-soft">Version</dt>
        <dd className="tabular [overflow-wrap:anywhere]">
          {status.version ?? 'unknown'}
          {status.commit && ` (${status.commit.slice(0, 12)})`}
        </dd>
        <dt className="text-ink-soft">Up for</dt>
        <dd className="tabular">{formatSpan(status.uptimeSeconds)}</dd>
        <dt className="text-ink-soft">Lag</dt>
        <dd className="tabular">
          {lags.length === 0 && 'follows nothing'}
          {lags.length > 0 && late.length === 0 && 'none'}
          {late.map(({ name, text }) => (
            <span key={name} className="block [overflow-wrap:anywhere]">
              {name}: {text}
            </span>
          ))}
        </dd>
      </dl>
      {failed.length > 0 && (
        <ul className="grid gap-1 text-note text-danger-ink">
          {failed.map(([name, reason]) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
