import { FLUSH_MS, resendToReader } from './delivery.ts';
import { publish, readChanged, subscribeToPeers } from './peers.ts';
import type { Hub, HubDeps } from './state.ts';
import { throttlePerRoom } from './throttle.ts';
import { openVisibility } from './visibility.ts';

/**
 * The rooms that this instance serves. A message that this or another instance appended goes from `peers.ts` to
 * `room-log.ts`. There, messages are put in order and gaps are filled from the database. `delivery.ts` then sends the
 * messages to the members.
 */
export function openHub(deps: HubDeps): Hub {
  const { pool, log, redis, instance } = deps;
  const hub: Hub = {
    ...deps,
    rooms: new Map(),
    opening: new Map(),
    visibility: openVisibility({
      ...{ pool, log, redis, instance },
      onChange: (userId, accounts) => resendToReader(hub, userId, accounts),
    }),
    changesToRead: throttlePerRoom(FLUSH_MS, (room, seqs) => readChanged(hub, room, seqs)),
    changesToPublish: throttlePerRoom(FLUSH_MS, (room, changed) => publish(hub, { room, changed })),
    sentContent: new Map(),
    changeTimes: new Map(),
    resumeTimer: undefined,
    pollTimer: undefined,
    polledAt: undefined,
    isClosed: false,
  };
  subscribeToPeers(hub);
  return hub;
}

export async function closeHub(hub: Hub): Promise<void> {
  hub.isClosed = true;
  clearTimeout(hub.pollTimer);
  clearInterval(hub.resumeTimer);
  hub.changesToRead.stop();
  hub.changesToPublish.stop();
  for (const { flushTimer } of hub.rooms.values()) clearTimeout(flushTimer);
  hub.rooms.clear();
  await hub.visibility.polling.stop();
}
