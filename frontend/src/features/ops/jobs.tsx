import type { FailedJob, JobService, OpsJobs } from '@beltway/contracts/ops/jobs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useAction } from '../../lib/actions/use-action.ts';
import { explain } from '../../lib/http/http.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { JOBS, discardJob, jobsQuery, retryJobs } from './api.ts';
import { Missing } from './history.tsx';
import { formatAgo } from './spans.ts';
import { texts } from './texts.en.ts';

type Queue = OpsJobs['queues'][number];

/** The action to confirm: a retry of one job or of a whole queue, or discarding one job. */
interface Asked {
  service: JobService;
  queue: string;
  key?: string;
  isDiscard?: true;
}

/** The jobs that services gave up, grouped by queue. */
export function Jobs() {
  const t = useTexts(texts);
  /** Kept in this component, because a queue leaves the list when its jobs run again. */
  const [asked, setAsked] = useState<Asked | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useQuery(jobsQuery());
  return (
    <div className="grid grid-cols-1 gap-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
          {t('jobs')}
        </h2>
        <p className="mt-1 text-ink-soft">{t('jobsWhy')}</p>
      </div>
      {found.isPending && (
        <Loading label={t('jobsLoading')} className="grid gap-4">
          <Skeleton className="h-44" />
        </Loading>
      )}
      {found.isError && !found.data && (
        <ErrorState
          title={t('jobsNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      )}
      {found.data && found.data.missing.length > 0 && <Missing of={found.data.missing} />}
      {found.data?.queues.length === 0 && <EmptyState title={t('noJobs')}>{t('noJobsWhy')}</EmptyState>}
      {found.data?.queues.map((queue) => (
        <FailedQueue key={`${queue.service} ${queue.queue}`} queue={queue} onAsk={setAsked} />
      ))}
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(null)} onDone={() => heading.current?.focus()} />}
    </div>
  );
}

const bdi = (words: ReactNode) => <bdi>{words}</bdi>;

function FailedQueue({ queue: { service, queue, failed, jobs }, onAsk }: { queue: Queue; onAsk: (of: Asked) => void }) {
  const t = useTexts(texts);
  const name = t('queueOf', { queue, service });
  return (
    <Card aria-label={name} className="gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="text-title wrap-anywhere">{name}</h3>
        <Meta as="span" className="tabular">
          {t('jobCount', { count: failed })}
        </Meta>
        {failed > 1 && (
          <Button variant="secondary" className="ml-auto" onClick={() => onAsk({ service, queue })}>
            {t('retryAll')}
          </Button>
        )}
      </div>
      <ul className="grid grid-cols-1 divide-y divide-line">
        {jobs.map((job) => (
          <Job key={job.key} job={job} onAsk={(more) => onAsk({ service, queue, key: job.key, ...more })} />
        ))}
      </ul>
      {failed > jobs.length && <Meta>{t('oldestJobs', { count: String(jobs.length) })}</Meta>}
    </Card>
  );
}

interface JobProps {
  job: FailedJob;
  onAsk: (more?: { isDiscard: true }) => void;
}

function Job({ job: { key, attempts, queuedAt, failedAt, cause }, onAsk }: JobProps) {
  const t = useTexts(texts);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <bdi className="font-strong wrap-anywhere">{key}</bdi>
        <bdi className="wrap-anywhere">{cause}</bdi>
        <Meta as="span" className="tabular">
          {t.rich('jobTried', {
            ...{ count: attempts, queued: formatMoment(queuedAt), ago: formatAgo(failedAt) },
            time: (words) => (
              <time dateTime={failedAt} title={formatMoment(failedAt)}>
                {words}
              </time>
            ),
          })}
        </Meta>
      </div>
      <Button variant="secondary" aria-label={t('retryJob', { key })} onClick={() => onAsk()}>
        {t('retry')}
      </Button>
      <Button variant="secondary" aria-label={t('discardJob', { key })} onClick={() => onAsk({ isDiscard: true })}>
        {t('discard')}
      </Button>
    </li>
  );
}

function AskedDialog({ asked, onClose, onDone }: { asked: Asked; onClose: () => void; onDone: () => void }) {
  const t = useTexts(texts);
  const { pathname } = useLocation();
  const { service, queue, key, isDiscard } = asked;
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: [JOBS] });
  const settle = useAction({
    mutationFn: () =>
      isDiscard && key !== undefined
        ? discardJob({ service, queue, key })
        : retryJobs({ service, queue, ...(key !== undefined && { key }) }),
    done: ({ count }) => ({ title: t(isDiscard ? 'discardJobDone' : 'retried', { count }), at: pathname }),
    onSuccess: async () => {
      onClose();
      await renew();
      // Moves the focus, because the pressed button left the list with its job.
      onDone();
    },
    // Another admin may have retried or discarded the job.
    onError: renew,
  });
  return (
    <ConfirmDialog
      title={t(isDiscard ? 'discardJobThis' : key === undefined ? 'retryAllThis' : 'retryThis')}
      action={t(isDiscard ? 'discardIt' : 'retryIt')}
      acting={t(isDiscard ? 'discarding' : 'retrying')}
      variant={isDiscard ? 'danger' : 'primary'}
      keep={t(isDiscard ? 'discardKeep' : 'replayKeep')}
      mutation={settle}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {key === undefined
          ? t('retryAllWhy', { queue: t('queueOf', { queue, service }) })
          : t.rich(isDiscard ? 'discardJobWhy' : 'retryWhy', { queue: t('queueOf', { queue, service }), key, bdi })}
      </p>
      <Meta>{t('recorded')}</Meta>
    </ConfirmDialog>
  );
}
