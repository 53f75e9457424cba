import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { BroadcastEvent } from './events.ts';

/** Publishes the start and the end of a broadcast, but not a brief loss of its signal. */
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
