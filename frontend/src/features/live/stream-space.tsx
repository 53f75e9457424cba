import { Skeleton } from '../../ui/states.tsx';
import { LiveStage } from './live-stage.tsx';

/** In the place of a live stream with its chat while it is loaded, of the same size; services/gateway/src/page/first-screen.ts has the same. */
export const StreamSpace = () => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <h2 className="text-title">Live stream</h2>
    <LiveStage
      player={
        <div className="grid gap-2">
          <Skeleton className="aspect-video" />
          <p className="text-note">{'\u00a0'}</p>
        </div>
      }
      chat={<div className="h-[34rem]" />}
    />
  </div>
);
