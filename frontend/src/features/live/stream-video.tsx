import Radio from 'lucide-react/icons/radio';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { playStream, type PlayedStream, type StreamPhase } from './play-stream.ts';
import { OnPicture, Waiting } from './on-picture.tsx';
import { texts } from './texts.en.ts';

interface StreamVideoProps {
  title: string;
  poster: string;
  url: string;
  isOwn: boolean;
  /** Whether the media server receives a picture. */
  isReceiving: boolean;
  onTrouble: () => void;
}

/** A live HLS stream with the browser's controls and a button to the live position. */
export function StreamVideo({ title, poster, url, isOwn, isReceiving, onTrouble }: StreamVideoProps) {
  const t = useTexts(texts);
  const video = useRef<HTMLVideoElement>(null);
  const played = useRef<PlayedStream | null>(null);
  const [phase, setPhase] = useState<StreamPhase>('loading');
  const [isBehind, setBehind] = useState(false);
  const trouble = useRef(onTrouble);
  useEffect(() => {
    trouble.current = onTrouble;
  }, [onTrouble]);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const stream = playStream(element, { url, isOwn, onPhase: setPhase, onTrouble: () => trouble.current() });
    played.current = stream;
    const look = () => setBehind(stream.isBehind());
    const events = ['timeupdate', 'pause', 'seeked'] as const;
    for (const name of events) element.addEventListener(name, look);
    // Moves the focus to the video, so that keyboard users continue with its controls.
    element.focus({ preventScroll: true });
    return () => {
      for (const name of events) element.removeEventListener(name, look);
      stream.stop();
      played.current = null;
    };
  }, [url, isOwn]);
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y-x/media-has-caption -- live: no captions exist */}
      <video
        ref={video}
        controls
        playsInline
        tabIndex={0}
        poster={poster}
        aria-label={t('streamOf', { title })}
        className="absolute inset-0 size-full bg-black object-contain"
      />
      {phase === 'unplayable' ? (
        <OnPicture title={t('unplayable')}>
          {!isOwn && (
            <a href={url} target="_blank" rel="noopener noreferrer" className="underline underline-offset-4">
              {t('openThere')}
            </a>
          )}
        </OnPicture>
      ) : phase === 'waiting' ? (
        <Waiting
          words={isReceiving ? t('picturesStopped') : t('waitingPictures')}
          action={
            <Button variant="secondary" onClick={() => played.current?.retry()}>
              <RotateCw aria-hidden className="size-4" />
              {t('tryNow')}
            </Button>
          }
        />
      ) : phase === 'loading' ? (
        <Waiting words={t('loading')} />
      ) : phase === 'stalled' && !isReceiving ? (
        <Waiting words={t('waitingPictures')} />
      ) : (
        isBehind && (
          <Button
            variant="secondary"
            className="absolute top-3 right-3 shadow-lift"
            onClick={() => {
              played.current?.goLive();
              setBehind(false);
              video.current?.focus({ preventScroll: true });
            }}
          >
            <Radio aria-hidden className="size-4" />
            {t('goLive')}
          </Button>
        )
      )}
    </>
  );
}
