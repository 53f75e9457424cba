import { useTexts } from '../../lib/i18n/catalog.ts';
import { Skeleton } from '../../ui/states.tsx';
import { LiveStage } from './live-stage.tsx';
import { texts } from './texts.en.ts';

const EMPTY_LINE = '\u00a0';

/** In the place of a live stream with its chat while it is loaded, of the same size; services/gateway/src/page/first-screen.ts has the same. */
export const StreamSpace = () => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <h2 className="text-title">{useTexts(texts)('liveStream')}</h2>
    <LiveStage
      player={
        <div className="grid gap-2">
          <Skeleton className="aspect-video" />
          <p className="text-note">{EMPTY_LINE}</p>
        </div>
      }
      chat={<div className="h-[34rem]" />}
    />
  </div>
);
