import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/broadcast';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { BroadcastEvent } from './events.ts';

/** What the world hears of broadcasts: that one is live, and that it ended. A signal that is lost for a moment is no news. */
export const publishBroadcasts = (events: Logged[]): Outgoing[] =>
  events.flatMap((of): Outgoing[] => {
    const { type, data } = { type: of.type, data: of.data } as BroadcastEvent;
    const at = of.occurredAt.toISOString();
    if (type === 'BroadcastStarted') {
      const said = { eventId: data.eventId, source: data.source, startedAt: at, version: of.version };
      return [{ of, type: BroadcastStartedV1.shape.type.value, version: 1, data: said }];
    }
    if (type === 'BroadcastEnded') {
      const said = { ...data, endedAt: at, version: of.version };
      return [{ of, type: BroadcastEndedV1.shape.type.value, version: 1, data: said }];
    }
    return [];
  });
