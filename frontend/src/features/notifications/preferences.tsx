import { MailedKind, NotificationKind, type NotificationPreferences } from '@beltway/contracts/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, type ComponentProps } from 'react';
import { explain } from '../../lib/http.ts';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { preferencesQuery, putPreferences } from './api.ts';

const LABELS: Record<NotificationKind, string> = {
  'ticket-bought': 'Tickets that you bought',
  'ticket-sold': 'Tickets sold for your events',
  'event-changed': 'Changes of events that you have tickets for',
  'event-cancelled': 'Cancellations of events that you have tickets for',
  'organiser-published': 'New events of organisers you follow',
  'comment-answered': 'Answers to your comments',
  'refund-sent': 'Refunds',
};

const isMailed = (kind: NotificationKind): kind is MailedKind => MailedKind.safeParse(kind).success;

/** What one is told of, on the page and by mail. Each choice counts at once. */
export function Preferences() {
  const found = useQuery(preferencesQuery());
  const { data: chosen, error } = found;
  return (
    <section id="notifications" aria-labelledby="notifications-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="notifications-title" className="text-title">
        Notifications
      </h2>
      {chosen ? (
        <Choices chosen={chosen} />
      ) : error ? (
        <ErrorState
          title="Your choices could not be loaded"
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="Your choices are loading">
          <Skeleton className="h-96 rounded-lg" />
        </Loading>
      )}
    </section>
  );
}

function Choices({ chosen }: { chosen: NotificationPreferences }) {
  const queries = useQueryClient();
  const { queryKey } = preferencesQuery();
  const change = useMutation({
    // One after the other: each has all choices, and the last one counts.
    scope: { id: 'notification-preferences' },
    mutationFn: putPreferences,
    onError: (error) => {
      toast({ title: 'Not saved', description: explain(error), variant: 'destructive' });
      void queries.invalidateQueries({ queryKey });
    },
  });
  const choose = (next: NotificationPreferences) => {
    queries.setQueryData(queryKey, next);
    change.mutate(next);
  };
  const { page, mail, isDaily } = chosen;
  const wantsMail = Object.values(mail).some(Boolean);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line p-5">
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {NotificationKind.options.map((kind) => (
          <li
            key={kind}
            className="grid gap-x-6 border-b border-line py-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <span className="font-strong">{LABELS[kind]}</span>
            <span role="group" aria-label={LABELS[kind]} className="flex flex-wrap items-center gap-x-5">
              <Choice
                label="On the page"
                checked={page[kind]}
                onChange={({ target }) => choose({ ...chosen, page: { ...page, [kind]: target.checked } })}
              />
              {isMailed(kind) ? (
                <Choice
                  label="By mail"
                  className="sm:w-32"
                  checked={mail[kind]}
                  onChange={({ target }) => choose({ ...chosen, mail: { ...mail, [kind]: target.checked } })}
                />
              ) : (
                <span className="text-note text-ink-soft sm:w-32">Always by mail</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="grid gap-1">
        <Choice
          label="One mail a day, in the morning, in place of one an hour"
          checked={isDaily}
          onChange={({ target }) => choose({ ...chosen, isDaily: target.checked })}
        />
        <p className="text-note text-ink-soft">
          {isDaily && !wantsMail
            ? 'Choose above what the mail of the day has.'
            : 'Mails about your own tickets and refunds always come at once.'}
        </p>
      </div>
    </div>
  );
}

function Choice({ label, className, ...rest }: { label: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <span className={`flex items-center gap-2.5 ${className ?? ''}`}>
      <input {...rest} id={id} type="checkbox" className="size-5 shrink-0 accent-accent" />
      <label htmlFor={id} className="min-h-11 content-center">
        {label}
      </label>
    </span>
  );
}
