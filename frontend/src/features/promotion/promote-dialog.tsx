import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { streamSourcesQuery } from './api.ts';
import { packages, promotionPath, type PromotionPackage } from './packages.ts';
import { texts } from './packages.texts.en.ts';
import { refusalOf } from './promotable.ts';

const NONE: never[] = [];

interface PromoteDialogProps {
  eventId: number;
  onClose: () => void;
}

/** The three packages for the account's own event; choosing one closes the dialog and opens the checkout. */
export function PromoteDialog({ eventId, onClose }: PromoteDialogProps) {
  const t = useTexts(texts);
  const all = packages(useQuery(streamSourcesQuery).data);
  const { user } = useSession();
  const found = useQuery(eventQuery(eventId));
  const now = useEventClock(found.data ?? NONE);
  const refusal = found.data && refusalOf(found.data, user?.id, now);
  return (
    <Dialog
      onClose={onClose}
      title={t('promoteYours')}
      description={found.data && !refusal ? t('paidOnceOf', { title: found.data.title }) : undefined}
      size="wide"
    >
      {refusal ? (
        <p className="pb-1">{refusal}</p>
      ) : found.data ? (
        <ul className="grid gap-3 pt-1 md:grid-cols-3">
          {all.map((one) => (
            <li key={one.level} className="grid">
              <Offer offer={one} eventId={eventId} />
            </li>
          ))}
        </ul>
      ) : found.isError ? (
        <ErrorState
          title={t('notLoaded')}
          message={
            found.error instanceof HttpError && found.error.status === 404 ? t('eventGone') : explain(found.error)
          }
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('loading')} className="grid gap-3 md:grid-cols-3">
          {all.map(({ level }) => (
            <Skeleton key={level} className="h-72 rounded-md" />
          ))}
        </Loading>
      )}
    </Dialog>
  );
}

function Offer({ offer, eventId }: { offer: PromotionPackage; eventId: number }) {
  const t = useTexts(texts);
  // The checkout replaces the dialog's history entry, so that Back leads to the page below the dialog.
  const { state } = useLocation() as { state: unknown };
  const { level, name, cents, hours, benefits, isMostPopular } = offer;
  return (
    <section
      aria-label={name}
      className="grid grid-rows-[auto_1fr_auto] gap-3 rounded-md border border-line bg-surface p-4"
    >
      <header className="grid gap-1">
        {/* Keeps names and prices aligned in adjacent columns. */}
        <p className={isMostPopular ? undefined : 'hidden min-h-7 md:block'}>
          {isMostPopular && <Badge tone="accent">{t('mostPopular')}</Badge>}
        </p>
        <h3 className="text-title">{name}</h3>
        <p className="text-heading tabular">{formatCents(cents)}</p>
        <Meta>{t('paidOnce', { hours: String(hours) })}</Meta>
      </header>
      <CheckList label={t('benefits')} items={benefits} />
      <ButtonLink
        to={promotionPath(level, eventId)}
        replace={isDialogEntry(state)}
        variant="secondary"
        className="px-3"
      >
        {t('choose', { name })}
      </ButtonLink>
    </section>
  );
}
