import { OpsSearchBody, type FoundOrder, type OpsFound, type Timeline } from '@beltway/contracts/timelines';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFields } from '../../lib/form.ts';
import { formatCents, formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { PagedList } from '../../lib/paged-list.tsx';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { searchQuery, timelineQuery } from './api.ts';
import { formatSecond } from './spans.ts';

const SearchForm = OpsSearchBody.pick({ q: true });
type Found = OpsFound['items'][number];

/** Looks for an order, payment or ticket, and shows what became of it by the events of all services. */
export function History() {
  const [asked, setAsked] = useState<{ q: string; attempt: number }>();
  const form = useFields({
    schema: SearchForm,
    initial: { q: '' },
    onSubmit: ({ q }) => setAsked({ q, attempt: (asked?.attempt ?? 0) + 1 }),
    error: null,
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      <div>
        <h2 className="text-title">History</h2>
        <p className="mt-1 max-w-prose text-ink-soft">
          By an order’s id or number, a ticket’s id or code, a refund’s id, the provider’s id of a payment, refund or
          dispute (pi_…, re_…, dp_…), or a buyer’s whole address. Searches and looks are recorded, addresses are not.
        </p>
      </div>
      <form {...form.props} aria-label="Search" className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField {...form.bind('q')} label="Look for" autoComplete="off" spellCheck={false} />
        </div>
        <Button type="submit" className="mt-6.5 max-sm:mt-0 max-sm:w-full">
          Search
        </Button>
      </form>
      {asked && <Results key={asked.attempt} {...asked} />}
    </div>
  );
}

function Results({ q, attempt }: { q: string; attempt: number }) {
  const found = useInfiniteQuery(searchQuery(q, attempt));
  const missing = [...new Set(found.data?.pages.flatMap((page) => page.missing))];
  return (
    <>
      {missing.length > 0 && <Missing of={missing} />}
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what="results"
        skeleton={{ className: 'h-20', of: 'rows' }}
        empty={
          <EmptyState title="Nothing found">
            {missing.length > 0
              ? 'Of the services that answered none knows it.'
              : 'No order, payment or ticket has this id, number, code or address.'}
          </EmptyState>
        }
      >
        {(items) => (
          <ul className="grid grid-cols-1 gap-4">
            {items.map((item) => (
              <li key={item.id}>
                <Result item={item} isOnly={items.length === 1} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

const Missing = ({ of }: { of: readonly string[] }) => (
  <Notice>
    {of.join(' and ')} did not answer: {of.length === 1 ? 'its part is' : 'their parts are'} missing here.
  </Notice>
);

const nameOf = (order: FoundOrder): string => order.orderNumber ?? order.orderId.slice(0, 8);

function Result({ item: { id, order, payment }, isOnly }: { item: Found; isOnly: boolean }) {
  const [isShown, setShown] = useState(false);
  const title = order ? `Order ${nameOf(order)}` : `Payment ${payment?.paymentId ?? id}`;
  return (
    <article aria-label={title} className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4 md:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-title [overflow-wrap:anywhere]">{title}</h3>
        <Badge>{order?.status ?? payment?.status}</Badge>
        <span className="tabular ml-auto font-strong">
          {formatCents(order?.amountCents ?? payment?.amountCents ?? 0)}
        </span>
      </div>
      <p className="text-note text-ink-soft [overflow-wrap:anywhere]">
        {order && (
          <>
            {order.quantity} {order.quantity === 1 ? 'ticket' : 'tickets'} of{' '}
            <bdi>{order.eventTitle ?? `event ${order.eventId}`}</bdi>, held {formatMoment(order.heldAt)}.{' '}
          </>
        )}
        {payment && (
          <>
            Payment of {payment.purpose}, {payment.status}, {payment.paymentId}.{' '}
          </>
        )}
        {id}
      </p>
      <Button
        variant={isOnly ? 'primary' : 'secondary'}
        className="justify-self-start"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide the history' : 'Show the history'}
      </Button>
      {isShown && <TimelineOf id={id} />}
    </article>
  );
}

function TimelineOf({ id }: { id: string }) {
  const found = useQuery(timelineQuery(id));
  if (found.data) return <Steps timeline={found.data} />;
  return found.isError ? (
    <ErrorState
      title="The history could not be loaded"
      message={explain(found.error)}
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  ) : (
    <Loading label="The history is loading" className="grid gap-2">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </Loading>
  );
}

const TONES: Record<Timeline['steps'][number]['service'], BadgeTone> = {
  catalog: 'neutral',
  ticketing: 'accent',
  payments: 'success',
  identity: 'neutral',
};

function Steps({ timeline: { id, order, steps, missing, cut } }: { timeline: Timeline }) {
  const [isBuyerShown, setBuyerShown] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-line pt-4">
      {missing.length > 0 && <Missing of={missing} />}
      {cut.length > 0 && <p className="text-note text-ink-soft">There is more of {cut.join(' and ')} than is shown.</p>}
      <ol aria-label="History" className="grid grid-cols-1 gap-3">
        {steps.map(({ at, service, type, text }, index) => (
          <li key={index} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[11.5rem_1fr]">
            <time dateTime={at} title={at} className="tabular text-note text-ink-soft sm:pt-0.5">
              {formatSecond(at)}
            </time>
            <div className="min-w-0">
              <p className="[overflow-wrap:anywhere]">{text}</p>
              <p className="mt-0.5 flex flex-wrap items-center gap-2 text-note text-ink-soft">
                <Badge tone={TONES[service]}>{service}</Badge>
                <span className="[overflow-wrap:anywhere]">{type}</span>
              </p>
            </div>
          </li>
        ))}
      </ol>
      {order && (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" aria-expanded={isBuyerShown} onClick={() => setBuyerShown(!isBuyerShown)}>
            {isBuyerShown ? 'Hide the buyer' : 'Show the buyer'}
          </Button>
          {!isBuyerShown && <span className="text-note text-ink-soft">The look is recorded.</span>}
        </div>
      )}
      {isBuyerShown && (
        <ManagedOrderOf orderId={id}>
          {({ order: { ticketHolderName, ticketHolderEmail } }) => (
            <p className="[overflow-wrap:anywhere]">
              <bdi>{ticketHolderName ?? 'No name'}</bdi>, <bdi>{ticketHolderEmail ?? 'no address'}</bdi>
            </p>
          )}
        </ManagedOrderOf>
      )}
    </div>
  );
}
