import type { PayoutMovement, Payouts } from '@beltway/contracts/payouts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/catalogue.ts';
import { formatCents, formatDate } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { sayMessage } from '../../lib/said.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { AccountState } from './account-state.tsx';
import { payoutsQuery } from './api.ts';
import { texts } from './texts.ts';

const DOT = ' · ';

/** Payouts & Banking: the account, what is owed, there and paid, and what moved (docs/product.md#payouts). */
export function PayoutsTab() {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useQuery(payoutsQuery());
  if (data) return <Shown payouts={data} />;
  if (error)
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <Loading label={t('loading')} className="grid gap-4">
      <Skeleton className="h-36 rounded-lg" />
      <Skeleton className="h-24 rounded-lg" />
    </Loading>
  );
}

function Shown({ payouts }: { payouts: Payouts }) {
  const t = useTexts(texts);
  const { scope, state, owedCents, balanceCents, paidCents, nextPayout, schedule, history } = payouts;
  const isOwn = scope === 'own';
  const facts: Array<[name: string, figure: string]> = [
    [t('balance'), formatCents(balanceCents)],
    [isOwn ? t('owedToYou') : t('owed'), formatCents(owedCents)],
    [t('paidOut'), formatCents(paidCents)],
  ];
  if (isOwn)
    facts.push([
      t('next'),
      nextPayout
        ? t('amountOn', { amount: formatCents(nextPayout.amountCents), day: dayText(nextPayout.on) })
        : t('noneYet'),
    ]);
  return (
    <div className="grid gap-6">
      {(isOwn || state !== 'none') && <AccountState state={state} heading="h3" />}
      <div className="grid gap-3">
        <StatCards cards={facts} />
        <p className="max-w-prose text-note text-ink-soft">
          {t('schedule', { arrival: sayMessage(schedule.arrival), minimum: formatCents(schedule.minimumCents) })}
        </p>
      </div>
      <section aria-labelledby="payout-history" className="grid gap-3">
        <h3 id="payout-history" className="text-title">
          {t('latest')}
        </h3>
        {history.length === 0 ? (
          <p className="text-ink-soft">{t('nothingMoved')}</p>
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
  const t = useTexts(texts);
  const amount = `${kind === 'reversal' ? '−' : ''}${formatCents(amountCents)}`;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-3">
      <span>
        {t(kind)}
        {status && (
          <>
            {DOT}
            <span className="text-ink-soft">{t(status)}</span>
          </>
        )}
        {eventId !== null && (
          <>
            {DOT}
            <Link to={`/event/${eventId}`}>{t('event', { id: String(eventId) })}</Link>
          </>
        )}
      </span>
      <span className="flex gap-4 tabular">
        <time dateTime={at} className="text-ink-soft">
          {formatDate(at)}
        </time>
        <span className="font-strong">{amount}</span>
      </span>
    </li>
  );
}

/** A day without an hour: the same wherever it is read. */
const dayText = (day: string): string => formatDate(`${day}T12:00:00Z`);
