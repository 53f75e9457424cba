import type { Event } from '@beltway/contracts/catalog/events';
import { posterUrl } from '@beltway/contracts/media/poster';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { LiveStage } from './live-stage.tsx';
import { texts } from './texts.en.ts';

const EMPTY_LINE = '\u00a0';

/** A placeholder of the same size while an event's live stream and chat load. */
export const StreamSpace = ({ event }: { event: Event }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <h2 className="text-title">{useTexts(texts)('liveStream')}</h2>
    <LiveStage
      player={
        <div className="grid gap-2">
          <div className="relative aspect-video overflow-hidden bg-sunken">
            <img src={event.imageUrl ?? posterUrl(event)} alt="" className="size-full object-cover" />
          </div>
          <p className="text-note">{EMPTY_LINE}</p>
        </div>
      }
      chat={<div className="h-[34rem]" />}
    />
  </section>
);
