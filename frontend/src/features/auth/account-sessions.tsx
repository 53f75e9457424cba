import type { AccountSession } from '@beltway/contracts/identity/accounts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useClock } from '../../lib/time/clock.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { formatAge, formatMoment } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { sessionsQuery, useEndSession } from './account-api.ts';
import { texts } from './account.texts.en.ts';
import { PasswordDialog } from './password-dialog.tsx';

const MINUTE_MS = 60_000;

/** A list of the account's sessions, with buttons to end them. */
export function AccountSessions() {
  const t = useTexts(texts);
  const now = useClock([], MINUTE_MS);
  const found = useQuery(sessionsQuery());
  const [asked, setAsked] = useState<AccountSession | 'others' | null>(null);
  const [isEnded, setEnded] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const { data, error } = found;
  const others = data?.items.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endOf = (session: AccountSession) => (
    <Button
      variant="secondary"
      aria-label={t('signOutOf', { device: session.device, start: formatMoment(session.startedAt) })}
      aria-haspopup="dialog"
      onClick={() => setAsked(session)}
    >
      {t('signOut')}
    </Button>
  );
  return (
    <Card ground="none" aria-labelledby="account-sessions-title" className="gap-3">
      <h3 id="account-sessions-title" ref={title} tabIndex={-1} className="font-strong outline-none">
        {t('sessionsTitle')}
      </h3>
      {data ? (
        <>
          <ul className="grid divide-y divide-line">
            {data.items.map((session) => (
              <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-2 font-strong">
                    {session.device}
                    {session.isCurrent && <Badge tone="success">{t('thisDevice')}</Badge>}
                  </p>
                  <Meta>
                    {t('since', {
                      start: formatMoment(session.startedAt),
                      age: formatAge(session.usedAt, now).toLowerCase(),
                    })}
                  </Meta>
                </div>
                {!session.isCurrent && endOf(session)}
              </li>
            ))}
          </ul>
          {others > 0 && (
            <Button
              variant="secondary"
              className="justify-self-start"
              aria-haspopup="dialog"
              onClick={() => setAsked('others')}
            >
              {t('signOutOthers')}
            </Button>
          )}
          <p role="status" className="sr-only">
            {isEnded && t('signedOutThere')}
          </p>
          {asked && (
            <EndDialog
              of={asked}
              onClose={() => setAsked(null)}
              onEnded={() => {
                flushSync(() => setAsked(null)); // the dialog traps the focus until it is closed
                setEnded(true);
                title.current?.focus(); // because the pressed button is removed with its session
              }}
            />
          )}
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title={t('sessionsFailed')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('sessionsLoading')}>
          <Skeleton className="h-24 rounded-lg" />
        </Loading>
      )}
    </Card>
  );
}

function EndDialog({
  of,
  onClose,
  onEnded,
}: {
  of: AccountSession | 'others';
  onClose: () => void;
  onEnded: () => void;
}) {
  const t = useTexts(texts);
  const ending = useEndSession(of === 'others' ? of : of.id, onEnded);
  return (
    <PasswordDialog
      title={of === 'others' ? t('signOutOthersAsk') : t('signOutAsk', { device: of.device })}
      action={t('signOut')}
      acting={t('signingOut')}
      keep={t('staySignedIn')}
      mutation={ending}
      onClose={onClose}
    />
  );
}
