import type { Event } from '@beltway/contracts/catalog/events';
import { posterUrl } from '@beltway/contracts/media/poster';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { playbackQuery } from './api.ts';
import { LiveStage } from './live-stage.tsx';
import { StreamPlayer } from './stream-player.tsx';
import { texts } from './texts.en.ts';
import { useLivestreamNews } from './use-livestream-news.ts';

interface EventStreamProps {
  event: Event;
  /** Shown beside the stream, unless its organizer turned the chat off. */
  chat?: ReactNode;
}

/** An event's live stream, on the event page. */
export function EventStream({ event, chat }: EventStreamProps) {
  useLivestreamNews();
  const playback = useQuery(playbackQuery(event.id));
  return (
    <section aria-labelledby="stream-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="stream-title" className="text-title">
        {useTexts(texts)('liveStream')}
      </h2>
      <LiveStage
        player={<StreamPlayer eventId={event.id} title={event.title} poster={event.imageUrl ?? posterUrl(event)} />}
        chat={playback.data?.chatEnabled !== false && chat}
      />
    </section>
  );
}
