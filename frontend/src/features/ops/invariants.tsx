import type { InvariantCheck } from '@beltway/contracts/ops';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { checkInvariants, lastInvariantsQuery } from './api.ts';

/** What must always hold, as the last check found it. */
export function Invariants() {
  const queries = useQueryClient();
  const query = lastInvariantsQuery();
  const found = useQuery(query);
  const check = useMutation({
    mutationFn: checkInvariants,
    onSuccess: (last) => queries.setQueryData(query.queryKey, { last, isRunning: false }),
  });
  const last = found.data?.last;
  const broken = last?.checks.filter(({ ok }) => !ok).length ?? 0;
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="text-title">Invariants</h2>
          <p className="mt-1 text-ink-soft" role="status">
            {last ? (
              <>
                {broken === 0 ? `All ${last.checks.length} hold` : `${broken} of ${last.checks.length} do not hold`},
                checked <time dateTime={last.at}>{formatMoment(last.at)}</time>.
              </>
            ) : (
              'What must always hold, checked on live data.'
            )}
          </p>
        </div>
        <Button pending={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? 'Checking…' : 'Check now'}
        </Button>
      </div>
      {check.isError && (
        <p role="alert" className="text-danger-ink">
          {explain(check.error)}
        </p>
      )}
      {found.isPending && (
        <Loading label="The invariants are loading" className="grid gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </Loading>
      )}
      {found.isError && !last && (
        <ErrorState
          title="The last check could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      )}
      {found.data && !last && (
        <EmptyState title="Not checked yet">
          Since this gateway started nobody has checked them. A check reads whole logs, so one is made at a time.
        </EmptyState>
      )}
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

const Check = ({ name, ok, violations, examples, unchecked }: InvariantCheck) => (
  <li className="flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md border border-line bg-surface px-4 py-3">
    <Badge tone={unchecked ? 'warning' : ok ? 'success' : 'danger'}>
      {unchecked ? 'Not checked' : ok ? 'Holds' : `${violations} wrong`}
    </Badge>
    <span className="min-w-0 flex-1 basis-60">
      {name}
      {unchecked && <span className="block text-note text-ink-soft [overflow-wrap:anywhere]">{unchecked}</span>}
      {examples.length > 0 && (
        <span className="tabular block text-note text-ink-soft [overflow-wrap:anywhere]">{examples.join(', ')}</span>
      )}
    </span>
  </li>
);
