import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { checkInvariants, lastInvariantsQuery } from './api.ts';
import { texts } from './texts.en.ts';

/** The invariants, with the results of the last check. */
export function Invariants() {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const query = lastInvariantsQuery();
  const found = useQuery(query);
  const check = useMutation({
    mutationFn: checkInvariants,
    onSuccess: (last) => queries.setQueryData(query.queryKey, { last, isRunning: false }),
  });
  const last = found.data?.last;
  const sayResult = ({ checks, at }: NonNullable<typeof last>) => {
    const broken = checks.filter(({ ok }) => !ok).length;
    const checked = {
      ...{ count: String(checks.length), when: formatMoment(at) },
      time: (words: ReactNode) => <time dateTime={at}>{words}</time>,
    };
    return broken === 0 ? t.rich('allHold', checked) : t.rich('someBroken', { ...checked, broken: String(broken) });
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="text-title">{t('invariants')}</h2>
          <p className="mt-1 text-ink-soft" role="status">
            {last ? sayResult(last) : t('whatHolds')}
          </p>
        </div>
        <Button pending={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? t('checking') : t('checkNow')}
        </Button>
      </div>
      <Failure of={check.error} />
      {found.isPending && (
        <Loading label={t('invariantsLoading')} className="grid gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </Loading>
      )}
      {found.isError && !last && (
        <ErrorState
          title={t('checkNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      )}
      {found.data && !last && <EmptyState title={t('notCheckedYet')}>{t('notCheckedWhy')}</EmptyState>}
      {last && (
        <ul className="grid grid-cols-1 gap-2">
          {last.checks.map((one) => (
            <Check key={one.name} {...one} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Check({ name, ok, violations, examples, unchecked }: InvariantCheck) {
  const t = useTexts(texts);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md border border-line bg-surface px-4 py-3">
      <Badge tone={unchecked ? 'warning' : ok ? 'success' : 'danger'}>
        {unchecked ? t('unchecked') : ok ? t('holds') : t('wrong', { count: String(violations) })}
      </Badge>
      <span className="min-w-0 flex-1 basis-60">
        {name}
        {unchecked && (
          <Meta as="span" className="block wrap-anywhere">
            {unchecked}
          </Meta>
        )}
        {examples.length > 0 && (
          <Meta as="span" className="tabular block wrap-anywhere">
            {examples.join(', ')}
          </Meta>
        )}
      </span>
    </li>
  );
}
