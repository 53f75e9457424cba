import { LivestreamCategory, type LiveStream } from '@beltway/contracts/catalog/livestream';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { sayMoment } from '../../lib/i18n/format.ts';
import { isPassing } from '../../lib/http/http.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { liveStreamsQuery } from './api.ts';
import { LiveStage } from './live-stage.tsx';
import { StreamPlayer } from './stream-player.tsx';
import { texts } from './texts.en.ts';
import { useLivestreamNews } from './use-livestream-news.ts';

/** The color and icon of each category, in the contract's order. */
const PLACES = [
  ['warning', 'landmark'],
  ['success', 'waterfront'],
  ['inverse', 'government'],
  ['accent', 'entertainment'],
  ['danger', 'resort'],
  ['neutral', 'street'],
] as const satisfies ReadonlyArray<readonly [BadgeTone, string]>;

interface LiveStreamsProps {
  /** The live chat of a stream. */
  chat: (stream: LiveStream) => ReactNode;
}

const SECTION_ID = 'live-streams';

/**
 * Whether the user came from ‘Live’ in the bottom bar of small screens. If so, scrolls the section into view once the
 * streams are loaded, except after Back, Forward or a reload, which keep the scroll position.
 */
function useShowLive(isKnown: boolean): boolean {
  const { key, state } = useLocation() as { key: string; state: { showLive?: boolean } | null };
  const isReturning = useNavigationType() === 'POP';
  const isWanted = state?.showLive === true;
  useEffect(() => {
    if (!isWanted || !isKnown || isReturning) return;
    const section = document.getElementById(SECTION_ID);
    section?.scrollIntoView({ behavior: 'smooth' });
    section?.focus({ preventScroll: true });
  }, [isWanted, isKnown, isReturning, key]);
  return isWanted;
}

/**
 * The streams that are live or scheduled; the selected one has a player and chat. Without streams it renders nothing,
 * unless the user came from ‘Live’.
 */
export function LiveStreams({ chat }: LiveStreamsProps) {
  const t = useTexts(texts);
  useLivestreamNews();
  const found = useQuery(liveStreamsQuery());
  const [chosen, setChosen] = useState<number | null>(null);
  const streams = found.data ?? [];
  const isWanted = useShowLive(!found.isPending);
  if (found.isLoadingError && (isWanted || isPassing(found.error)))
    return (
      <div id={SECTION_ID} tabIndex={-1} className="scroll-mt-36">
        <ErrorState
          title={t('cannotConnect')}
          message={t('checkConnection')}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  const selected = streams.find(({ id }) => id === chosen) ?? streams[0];
  // A live stream stays selected when another one becomes the first, because someone may be watching.
  if (selected?.isLive && selected.id !== chosen) setChosen(selected.id);
  if (!selected)
    return isWanted && found.isSuccess ? (
      <section id={SECTION_ID} tabIndex={-1} aria-label={t('liveStreams')} className="scroll-mt-36">
        <EmptyState title={t('noStreams')}>{t('noStreamsWhy')}</EmptyState>
      </section>
    ) : null;
  return (
    <section
      id={SECTION_ID}
      tabIndex={-1}
      aria-labelledby="live-title"
      className="grid scroll-mt-36 grid-cols-[minmax(0,1fr)] gap-3"
    >
      <h2 id="live-title" className="text-title">
        {t('liveStreams')}
      </h2>
      <Selected
        key={selected.id}
        stream={selected}
        chat={selected.chatEnabled && chat(selected)}
        others={
          streams.length > 1 && (
            <ul className="-mx-4 flex snap-x gap-2.5 overflow-x-auto scroll-px-4 px-4 pb-1 [scrollbar-width:thin] md:mx-0 md:px-0 md:scroll-px-0">
              {streams.map((stream) => (
                <li key={stream.id} className="grid w-56 shrink-0 snap-start grid-cols-1">
                  <button
                    type="button"
                    aria-pressed={stream.id === selected.id}
                    onClick={() => setChosen(stream.id)}
                    className={cx(
                      'grid grid-cols-1 content-start gap-1 rounded-lg border bg-surface p-3 text-left shadow-card transition-[border-color] duration-(--duration-base)',
                      stream.id === selected.id ? 'border-accent-ink' : 'border-line hover:border-edge',
                    )}
                  >
                    <Badges stream={stream} />
                    <span className="line-clamp-1 font-strong wrap-anywhere">{stream.title}</span>
                    <Meta as="span" className="truncate">
                      {stream.venueName}
                    </Meta>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      />
    </section>
  );
}

function Badges({ stream: { isLive, isClip, startTime, category } }: { stream: LiveStream }) {
  const t = useTexts(texts);
  const now = useClock();
  const [tone, name] = PLACES[LivestreamCategory.options.indexOf(category)]!;
  return (
    <span className="flex flex-wrap gap-2">
      {isLive ? (
        <Badge tone="danger">{t('live')}</Badge>
      ) : (
        <Badge>{t('starts', { when: sayMoment(startTime, now) })}</Badge>
      )}
      {isLive && isClip && <Badge>{t('demoClip')}</Badge>}
      <Badge tone={tone}>{t(name)}</Badge>
    </span>
  );
}

interface SelectedProps {
  stream: LiveStream;
  chat: ReactNode;
  /** The list of streams to select from. */
  others: ReactNode;
}

function Selected({ stream, chat, others }: SelectedProps) {
  const t = useTexts(texts);
  const now = useClock();
  return (
    <LiveStage
      isSmall
      player={<StreamPlayer eventId={stream.id} title={stream.title} poster={stream.thumbnailUrl} />}
      chat={
        <>
          {chat}
          {others}
        </>
      }
    >
      <div className="grid grid-cols-1 content-start gap-2 p-3 md:p-4">
        <Badges stream={stream} />
        <div className="grid gap-0.5">
          <h3 className="text-title">{stream.title}</h3>
          <Meta>{stream.location}</Meta>
        </div>
        <p className="line-clamp-1 text-note max-md:hidden">{stream.description}</p>
        <Meta className="tabular max-md:hidden">
          {t('span', { start: sayMoment(stream.startTime, now), end: sayMoment(stream.endTime, now) })}
        </Meta>
        <ButtonLink to={eventPath(stream)} variant="secondary" className="justify-self-start">
          {t('seeEvent')}
        </ButtonLink>
      </div>
    </LiveStage>
  );
}
