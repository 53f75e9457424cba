import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { roomDecider, type Room } from './decider.ts';
import type { RoomCommand, RoomEvent } from './events.ts';
import { projectRooms, roomTables } from './projection.ts';

export type Rooms = Streams<Room, RoomCommand, RoomEvent>;

const CATEGORY = 'room';
const projections = [projectRooms];

/** The chat rooms of this service's store. */
export const openRooms = (store: Store): Rooms =>
  streams(store, {
    category: CATEGORY,
    decider: roomDecider,
    projections,
    snapshot: {
      shape: 1,
      every: 2_000,
      write: ({ mutes, wroteAt, ...room }) => ({ ...room, mutes: [...mutes], wroteAt: [...wroteAt] }),
      read: (json) => {
        const { mutes, wroteAt, ...room } = json as Omit<Room, 'mutes' | 'wroteAt'> & {
          mutes: Array<[string, string | null]>;
          wroteAt: Array<[string, number]>;
        };
        return { ...room, mutes: new Map(mutes), wroteAt: new Map(wroteAt) };
      },
    },
  });

/** What `npm run rebuild` truncates and replays. */
export const roomReadModel: ReadModel = {
  category: CATEGORY,
  projections: projections as ReadModel['projections'],
  tables: roomTables,
};
