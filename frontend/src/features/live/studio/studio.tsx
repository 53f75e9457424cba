import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { useQuery } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { eventPath } from '../../../lib/events/event-facts.ts';
import { explain, HttpError } from '../../../lib/http/http.ts';
import { usePageTitle } from '../../../lib/navigation/page-title.ts';
import { say } from '../../../lib/i18n/problems.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { PageMessage } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { useLivestreamNews } from '../use-livestream-news.ts';
import { AddressPanel } from './address-panel.tsx';
import { broadcastQuery } from './api.ts';
import { CameraPanel } from './camera-panel.tsx';
import { EncoderPanel } from './encoder-panel.tsx';
import { Panel } from './panel.tsx';
import { RecordingsPanel } from './recordings-panel.tsx';
import { StatePanel } from './state-panel.tsx';
import { texts } from './texts.en.ts';
import { ViewersPanel } from './viewers-panel.tsx';

interface StudioProps {
  eventId: number;
  /** The chat of the event, which its owner moderates. */
  chat: ReactNode;
}

/** The page where an organizer broadcasts, sees the viewers, and afterwards finds figures and recordings. */
export function Studio({ eventId, chat }: StudioProps) {
  const t = useTexts(texts);
  useLivestreamNews();
  const found = useQuery(broadcastQuery(eventId));
  usePageTitle(t('studio'));
  if (found.data) return <Whole broadcast={found.data} isAway={found.isError} chat={chat} />;
  if (found.error instanceof HttpError && (found.error.status === 404 || found.error.status === 403))
    return <NoStudio onLookAgain={() => void found.refetch()} isLooking={found.isFetching} />;
  if (found.isError)
    return (
      <PageMessage>
        <ErrorState
          heading="h1"
          title={t('notLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </PageMessage>
    );
  return (
    <Loading label={t('loading')} className="page grid gap-6 py-6 lg:py-10">
      <Skeleton className="h-10 w-2/3 max-w-md" />
      <Skeleton className="h-40 rounded-lg" />
      <Skeleton className="h-72 rounded-lg" />
    </Loading>
  );
}

/** Shown when the account has no live stream for this event. */
export function NoStudio({ onLookAgain, isLooking = false }: { onLookAgain?: () => void; isLooking?: boolean }) {
  const t = useTexts(texts);
  return (
    <PageMessage>
      <EmptyState
        heading="h1"
        title={t('none')}
        action={
          <>
            <ButtonLink to="/dashboard">{t('yourEvents')}</ButtonLink>
            {onLookAgain && (
              <Button variant="secondary" onClick={onLookAgain} disabled={isLooking}>
                <RotateCw aria-hidden className="size-4" />
                {t('lookAgain')}
              </Button>
            )}
          </>
        }
      >
        {t('noneWhy')}
      </EmptyState>
    </PageMessage>
  );
}

function Whole({ broadcast, isAway, chat }: { broadcast: Broadcast; isAway: boolean; chat: ReactNode }) {
  const t = useTexts(texts);
  const { eventId, title, chatEnabled, ingest, status } = broadcast;
  const isOver = status === 'canceled' || (status === 'ended' && !broadcast.canStart);
  // Keeps the last known URLs, so that a short outage of the media server neither ends the camera's broadcast nor hides
  // a new key.
  const [{ rtmpUrl, whipUrl }, setKnown] = useState(ingest);
  if ((ingest.rtmpUrl ?? rtmpUrl) !== rtmpUrl || (ingest.whipUrl ?? whipUrl) !== whipUrl)
    setKnown({ ...ingest, rtmpUrl: ingest.rtmpUrl ?? rtmpUrl, whipUrl: ingest.whipUrl ?? whipUrl });
  const ways = (
    <>
      {ingest.reason !== null && !isOver && (
        <Panel title={t('sending')}>
          <p className="max-w-prose">{say(ingest.reason)}</p>
        </Panel>
      )}
      {whipUrl !== null && <CameraPanel broadcast={broadcast} whipUrl={whipUrl} />}
      {rtmpUrl !== null && <EncoderPanel broadcast={broadcast} rtmpUrl={rtmpUrl} />}
      <AddressPanel broadcast={broadcast} />
    </>
  );
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="grid gap-1">
        <Link
          to="/dashboard"
          className="inline-flex min-h-11 items-center gap-1 justify-self-start text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {t('yourEvents')}
        </Link>
        <h1 className="text-heading wrap-anywhere">{t.rich('studioOf', { title: () => <bdi>{title}</bdi> })}</h1>
        <TextLink to={eventPath({ id: eventId })} className="justify-self-start">
          {t('asViewers')}
        </TextLink>
      </header>
      <p role="status" className="rounded-md bg-warning-soft px-4 py-3 text-warning-ink empty:hidden">
        {isAway && t('away')}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <StatePanel broadcast={broadcast} />
          {!isOver && ways}
          <ViewersPanel broadcast={broadcast} />
          <RecordingsPanel broadcast={broadcast} />
        </div>
        <div className="lg:sticky lg:top-[calc(var(--below-header)+2rem)]">
          {chatEnabled ? chat : <p className="text-ink-soft">{t('noChat')}</p>}
        </div>
      </div>
    </div>
  );
}
