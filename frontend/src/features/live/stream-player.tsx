import type { Playback, Recording } from '@beltway/contracts/broadcast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { checkoutPath } from '../../lib/event-facts.ts';
import { formatCount, sayMoment } from '../../lib/format.ts';
import { explain, HttpError } from '../../lib/http.ts';
import { signInPath } from '../../lib/return-path.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { frameAddress, videoAddress } from './addresses.ts';
import { playbackQuery } from './api.ts';
import { OnPicture, Waiting } from './on-picture.tsx';
import { StreamVideo } from './stream-video.tsx';
import { refusalOf, useSeat } from './use-seat.ts';

interface StreamPlayerProps {
  eventId: number;
  title: string;
  /** Shown until somebody presses play. */
  poster: string;
}

/** A live stream in its place on a page: the poster, why it cannot be watched now, or the stream itself once somebody wants it. */
export function StreamPlayer({ eventId, title, poster }: StreamPlayerProps) {
  const found = useQuery(playbackQuery(eventId));
  const [isWatching, setWatching] = useState(false);
  const [recording, setRecording] = useState<Recording | null>(null);
  const queries = useQueryClient();
  const playback = found.data;
  // After an end it begins by another press.
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
          title="Unable to connect to live streams"
          action={
            <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
              {!found.isFetching && <RotateCw aria-hidden className="size-4" />}
              Retry
            </Button>
          }
        >
          Please check your connection and try again.
        </OnPicture>
      );
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="relative aspect-video overflow-hidden bg-sunken">
        <img src={poster} alt="" loading="lazy" className="size-full object-cover" />
        {content}
      </div>
      {playback?.status === 'live' ? (
        <Note playback={playback} isWatching={isWatching} />
      ) : (
        <p className="text-note">{'\u00a0'}</p>
      )}
    </div>
  );
}

/** What stands below the pictures of a live stream. */
function Note({
  playback: { viewers, isClip, isTicketed, bar },
  isWatching,
}: {
  playback: Playback;
  isWatching: boolean;
}) {
  return (
    <p className="flex flex-wrap gap-x-3 px-4 text-note text-ink-soft tabular">
      <span>{viewers === 1 ? '1 person is watching' : `${formatCount(viewers)} people are watching`}</span>
      {isClip && <span>A demo clip, no camera.</span>}
      {isTicketed && bar === null && !isWatching && <span>For ticket holders</span>}
    </p>
  );
}

interface BeforeProps {
  playback: Playback;
  onWatch: () => void;
  onRecording: (recording: Recording) => void;
}

/** The poster's words: what can be done now, or when. */
function Before({ playback, onWatch, onRecording }: BeforeProps) {
  const { eventId, status, bar, startTime, isReceiving, recordings } = playback;
  if (status === 'cancelled') return <OnPicture title="This live stream was cancelled" />;
  if (bar !== null) return <Barred bar={bar} eventId={eventId} isOver={status === 'ended'} />;
  if (status === 'scheduled')
    return (
      <p className="absolute inset-x-0 bottom-0 bg-surface px-4 py-2 font-strong tabular">
        Plays here from {sayMoment(startTime)}
      </p>
    );
  if (status === 'ended')
    return (
      <OnPicture
        title="This live stream is over"
        action={recordings.map((recording, index) => (
          <Button key={recording.id} variant="secondary" onClick={() => onRecording(recording)}>
            <Play aria-hidden className="size-4" />
            {recordings.length === 1 ? 'Watch the recording' : `Watch part ${index + 1} of the recording`}
          </Button>
        ))}
      >
        {recordings.length === 0 && 'Thank you for watching.'}
      </OnPicture>
    );
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-3 p-4">
      <Button onClick={onWatch} className="shadow-lift">
        <Play aria-hidden className="size-4" />
        Watch live
      </Button>
      {!isReceiving && <p className="rounded-full bg-surface px-4 py-1.5 text-note">No pictures come right now.</p>}
    </div>
  );
}

/** Why this person may not watch, and what to do about it. */
function Barred({ bar, eventId, isOver }: { bar: NonNullable<Playback['bar']>; eventId: number; isOver: boolean }) {
  const { pathname, search } = useLocation();
  if (bar === 'sign-in')
    return (
      <OnPicture
        title="This stream is for ticket holders"
        action={<ButtonLink to={signInPath(pathname + search)}>Sign in to watch</ButtonLink>}
      >
        Sign in with the account that has your ticket.
      </OnPicture>
    );
  if (bar === 'ticket')
    return (
      <OnPicture
        title="This stream is for ticket holders"
        action={!isOver && <ButtonLink to={checkoutPath({ id: eventId })}>Get a ticket</ButtonLink>}
      >
        {isOver ? 'It is over.' : 'With a ticket of this event you watch it here.'}
      </OnPicture>
    );
  return (
    <OnPicture title="Every place is taken">
      As many people watch as this stream has places for. It is tried again by itself.
    </OnPicture>
  );
}

/** Somebody watches: with a seat, in the player or in the frame of another site. */
function Watching({ eventId, title, poster, onOver }: StreamPlayerProps & { onOver: () => void }) {
  const seat = useSeat(eventId);
  const refusal = refusalOf(seat.error);
  if (refusal === 'sign-in-needed') return <Barred bar="sign-in" eventId={eventId} isOver={false} />;
  if (refusal === 'ticket-needed') return <Barred bar="ticket" eventId={eventId} isOver={false} />;
  if (refusal === 'stream-full') return <Barred bar="full" eventId={eventId} isOver={false} />;
  if (refusal !== null)
    return (
      <OnPicture
        title={refusal === 'not-live' ? 'The live stream has stopped' : 'This stream cannot be watched'}
        action={
          <Button
            variant="secondary"
            pending={seat.isFetching}
            onClick={() => {
              void seat.refetch();
              onOver();
            }}
          >
            Look again
          </Button>
        }
      >
        {explain(seat.error)}
      </OnPicture>
    );
  if (!seat.data)
    return (
      <Waiting words={seat.failureCount > 0 ? 'Beltway does not answer. Trying again…' : 'The stream is loading…'} />
    );
  const { kind, url, isReceiving } = seat.data;
  const frame = kind === 'embed' ? frameAddress(url) : null;
  if (frame)
    return (
      <iframe
        src={frame}
        title={`Live stream of ${title}`}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        className="absolute inset-0 size-full bg-black"
      />
    );
  const address = kind === 'hls' ? videoAddress(url) : null;
  if (!address)
    return <OnPicture title="This stream cannot be shown">Its address is none that this page may open.</OnPicture>;
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
  const address = videoAddress(url);
  if (!address?.isOwn) return <OnPicture title="This recording cannot be shown" />;
  return (
    // eslint-disable-next-line jsx-a11y-x/media-has-caption -- recorded live: nobody has written down what is said
    <video
      controls
      autoPlay
      playsInline
      src={address.url}
      poster={poster}
      aria-label={`Recording of ${title}`}
      className="absolute inset-0 size-full bg-black object-contain"
    />
  );
};
