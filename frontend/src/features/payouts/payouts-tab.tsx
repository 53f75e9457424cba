import type { PayoutMovement, Payouts } from '@beltway/contracts/payouts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatCents, formatDate } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { AccountState } from './account-state.tsx';
import { payoutsQuery } from './api.ts';

const KINDS: Record<PayoutMovement['kind'], string> = {
  transfer: 'To the account',
  reversal: 'Back from the account',
  payout: 'To the bank',
};
const STATUS = { pending: 'On its way', paid: 'Arrived', failed: 'Sent back' };

/** Payouts & Banking: the account, what is owed, there and paid, and what moved (docs/product.md#payouts). */
export function PayoutsTab() {
  const { data, error, isFetching, refetch } = useQuery(payoutsQuery());
  if (data) return <Shown payouts={data} />;
  if (error)
    return (
      <ErrorState
        title="Payouts could not be loaded"
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <Loading label="Payouts are loading" className="grid gap-4">
      <Skeleton className="h-36 rounded-lg" />
      <Skeleton className="h-24 rounded-lg" />
    </Loading>
  );
}

function Shown({ payouts }: { payouts: Payouts }) {
  const { scope, state, owedCents, balanceCents, paidCents, nextPayout, schedule, history } = payouts;
  const isOwn = scope === 'own';
  const facts: Array<[name: string, figure: string]> = [
    ['Balance', formatCents(balanceCents)],
    [isOwn ? 'Owed to you' : 'Owed to organisers', formatCents(owedCents)],
    ['Paid out', formatCents(paidCents)],
  ];
  if (isOwn)
    facts.push([
      'Next payout',
      nextPayout ? `${formatCents(nextPayout.amountCents)} on ${dayText(nextPayout.on)}` : 'None yet',
    ]);
  return (
    <div className="grid gap-6">
      {(isOwn || state !== 'none') && <AccountState state={state} heading="h3" />}
      <div className="grid gap-3">
        <StatCards cards={facts} />
        <p className="max-w-prose text-note text-ink-soft">
          Payouts go out weekly, on Fridays, and take {schedule.arrival}. The minimum is{' '}
          {formatCents(schedule.minimumCents)}. The balance is in the account at the card provider; what is owed goes
          there when the account is ready.
        </p>
      </div>
      <section aria-labelledby="payout-history" className="grid gap-3">
        <h3 id="payout-history" className="text-title">
          Latest movements
        </h3>
        {history.length === 0 ? (
          <p className="text-ink-soft">Nothing has moved yet.</p>
        ) : (
          <ul className="grid gap-2">
            {history.map((one) => (
              <Movement key={one.id} {...one} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function Movement({ kind, amountCents, eventId, status, at }: PayoutMovement) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-3">
      <span>
        {KINDS[kind]}
        {status && <span className="text-ink-soft"> · {STATUS[status]}</span>}
        {eventId !== null && (
          <>
            {' · '}
            <Link to={`/event/${eventId}`}>Event {eventId}</Link>
          </>
        )}
      </span>
      <span className="flex gap-4 tabular">
        <time dateTime={at} className="text-ink-soft">
          {formatDate(at)}
        </time>
        <span className="font-strong">
          {kind === 'reversal' ? '−' : ''}
          {formatCents(amountCents)}
        </span>
      </span>
    </li>
  );
}

/** A day without an hour: the same wherever it is read. */
const dayText = (day: string): string => formatDate(`${day}T12:00:00Z`);
