import type { Playback, Recording } from '@beltway/contracts/media/broadcast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Play from 'lucide-react/icons/play';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { checkoutPath } from '../../lib/events/event-facts.ts';
import { formatCount, sayMoment } from '../../lib/i18n/format.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { frameAddress, videoAddress } from './addresses.ts';
import { playbackQuery } from './api.ts';
import { OnPicture, Waiting } from './on-picture.tsx';
import { StreamVideo } from './stream-video.tsx';
import { texts } from './texts.en.ts';
import { refusalOf, useSeat } from './use-seat.ts';

/** Keeps the height of one line of text. */
const EMPTY_LINE = '\u00a0';

interface StreamPlayerProps {
  eventId: number;
  title: string;
  /** Shown until a viewer presses play. */
  poster: string;
}

/**
 * A live stream on a page: the poster, the reason why it cannot be watched now, or the player once a viewer presses
 * play.
 */
export function StreamPlayer({ eventId, title, poster }: StreamPlayerProps) {
  const t = useTexts(texts);
  const found = useQuery(playbackQuery(eventId));
  const [isWatching, setWatching] = useState(false);
  const [recording, setRecording] = useState<Recording | null>(null);
  const queries = useQueryClient();
  const playback = found.data;
  // After the stream ended, the viewer must press play again.
  if (isWatching && playback && playback.status !== 'live') setWatching(false);
  const askAgain = () => void queries.invalidateQueries({ queryKey: ['/api/live-streams'] });

  let content: ReactNode = null;
  if (playback?.status === 'live' && isWatching)
    content = <Watching {...{ eventId, title, poster }} onOver={askAgain} />;
  else if (recording) content = <RecordingVideo {...{ title, poster, recording }} />;
  else if (playback)
    content = <Before playback={playback} onWatch={() => setWatching(true)} onRecording={setRecording} />;
  else if (found.isError)
    content =
      found.error instanceof HttpError && found.error.status === 404 ? null : (
        <OnPicture
          title={t('cannotConnect')}
          action={
            <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
              {!found.isFetching && <RotateCw aria-hidden className="size-4" />}
              {t('retry')}
            </Button>
          }
        >
          {t('checkConnection')}
        </OnPicture>
      );
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <div className="relative aspect-video overflow-hidden bg-sunken">
        <img src={poster} alt="" loading="lazy" className="size-full object-cover" />
        {content}
      </div>
      {playback?.status === 'live' ? (
        <Note playback={playback} isWatching={isWatching} />
      ) : (
        <p className="text-note">{EMPTY_LINE}</p>
      )}
    </div>
  );
}

/** The note below the picture of a live stream. */
function Note({
  playback: { viewers, isClip, isTicketed, bar },
  isWatching,
}: {
  playback: Playback;
  isWatching: boolean;
}) {
  const t = useTexts(texts);
  return (
    <Meta className="flex flex-wrap gap-x-3 px-4 tabular">
      <span>{t('watching', { number: formatCount(viewers), count: viewers })}</span>
      {isClip && <span>{t('noCamera')}</span>}
      {isTicketed && bar === null && !isWatching && <span>{t('forHolders')}</span>}
    </Meta>
  );
}

interface BeforeProps {
  playback: Playback;
  onWatch: () => void;
  onRecording: (recording: Recording) => void;
}

/** The text on the poster: what the viewer can do now or later. */
function Before({ playback, onWatch, onRecording }: BeforeProps) {
  const t = useTexts(texts);
  const now = useClock();
  const { eventId, status, bar, startTime, isReceiving, recordings } = playback;
  if (status === 'canceled') return <OnPicture title={t('wasCanceled')} />;
  if (bar !== null) return <Barred bar={bar} eventId={eventId} isOver={status === 'ended'} />;
  if (status === 'scheduled')
    return (
      <p className="absolute inset-x-0 bottom-0 bg-surface px-4 py-2 font-strong tabular">
        {t('playsFrom', { when: sayMoment(startTime, now) })}
      </p>
    );
  if (status === 'ended')
    return (
      <OnPicture
        title={t('isOver')}
        action={recordings.map((recording, index) => (
          <Button key={recording.id} variant="secondary" onClick={() => onRecording(recording)}>
            <Play aria-hidden className="size-4" />
            {recordings.length === 1 ? t('watchRecording') : t('watchPart', { part: String(index + 1) })}
          </Button>
        ))}
      >
        {recordings.length === 0 && t('thanks')}
      </OnPicture>
    );
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-3 p-4">
      <Button onClick={onWatch} className="px-4 whitespace-nowrap shadow-lift">
        <Play aria-hidden className="size-4" />
        {t('watchLive')}
      </Button>
      {!isReceiving && <p className="rounded-full bg-surface px-4 py-1.5 text-note">{t('noPictures')}</p>}
    </div>
  );
}

/** Explains why this viewer may not watch, and what the viewer can do. */
function Barred({ bar, eventId, isOver }: { bar: NonNullable<Playback['bar']>; eventId: number; isOver: boolean }) {
  const t = useTexts(texts);
  const { pathname, search } = useLocation();
  if (bar === 'sign-in')
    return (
      <OnPicture
        title={t('holdersOnly')}
        action={<ButtonLink to={signInPath(pathname + search)}>{t('signInToWatch')}</ButtonLink>}
      >
        {t('signInWhy')}
      </OnPicture>
    );
  if (bar === 'ticket')
    return (
      <OnPicture
        title={t('holdersOnly')}
        action={!isOver && <ButtonLink to={checkoutPath({ id: eventId })}>{t('getTicket')}</ButtonLink>}
      >
        {isOver ? t('itIsOver') : t('withTicket')}
      </OnPicture>
    );
  return <OnPicture title={t('allTaken')}>{t('allTakenWhy')}</OnPicture>;
}

/** The stream for a viewer who holds a seat, in our player or in a frame of another site. */
function Watching({ eventId, title, poster, onOver }: StreamPlayerProps & { onOver: () => void }) {
  const t = useTexts(texts);
  const seat = useSeat(eventId);
  const refusal = refusalOf(seat.error);
  if (refusal === 'sign-in-needed') return <Barred bar="sign-in" eventId={eventId} isOver={false} />;
  if (refusal === 'ticket-needed') return <Barred bar="ticket" eventId={eventId} isOver={false} />;
  if (refusal === 'stream-full') return <Barred bar="full" eventId={eventId} isOver={false} />;
  if (refusal !== null)
    return (
      <OnPicture
        title={refusal === 'not-live' ? t('stopped') : t('cannotWatch')}
        action={
          <Button
            variant="secondary"
            pending={seat.isFetching}
            onClick={() => {
              void seat.refetch();
              onOver();
            }}
          >
            {t('lookAgain')}
          </Button>
        }
      >
        {explain(seat.error)}
      </OnPicture>
    );
  if (!seat.data) return <Waiting words={seat.failureCount > 0 ? t('noAnswer') : t('loading')} />;
  const { kind, url, isReceiving } = seat.data;
  const frame = kind === 'embed' ? frameAddress(url) : null;
  if (frame)
    return (
      <iframe
        src={frame}
        title={t('streamOf', { title })}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        className="absolute inset-0 size-full bg-black"
      />
    );
  const address = kind === 'hls' ? videoAddress(url) : null;
  if (!address) return <OnPicture title={t('cannotShow')}>{t('cannotShowWhy')}</OnPicture>;
  return (
    <StreamVideo
      key={address.url}
      {...{ title, poster, ...address, isReceiving }}
      onTrouble={() => {
        void seat.refetch();
        onOver();
      }}
    />
  );
}

const RecordingVideo = ({
  title,
  poster,
  recording: { url },
}: {
  title: string;
  poster: string;
  recording: Recording;
}) => {
  const t = useTexts(texts);
  const address = videoAddress(url);
  if (!address?.isOwn) return <OnPicture title={t('noRecording')} />;
  return (
    // eslint-disable-next-line jsx-a11y-x/media-has-caption -- recorded live: no captions exist
    <video
      controls
      autoPlay
      playsInline
      src={address.url}
      poster={poster}
      aria-label={t('recordingOf', { title })}
      className="absolute inset-0 size-full bg-black object-contain"
    />
  );
};
