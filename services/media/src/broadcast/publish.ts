import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { BroadcastEvent } from './events.ts';

/** A broadcast that starts, and one that ends, are messages. A signal that is lost for a moment is no news. */
export function publishBroadcast(of: Logged): Outgoing[] {
  const { type, data } = { type: of.type, data: of.data } as BroadcastEvent;
  const at = of.occurredAt.toISOString();
  const { version } = of;
  if (type === 'BroadcastStarted') {
    const { eventId, source } = data;
    return [outgoing(of, BroadcastStartedV1, { eventId, source, startedAt: at, version })];
  }
  return type === 'BroadcastEnded' ? [outgoing(of, BroadcastEndedV1, { ...data, endedAt: at, version })] : [];
}
