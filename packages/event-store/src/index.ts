export { Answer, CommandReused, Overloaded, Rejected, Unpublishable } from './errors.ts';
export { fingerprintOf, uuidFrom } from './ids.ts';
export { follow, followers, type Follower } from './log/follow.ts';
export { outgoing, type MessageSchema, type Outgoing } from './log/outgoing.ts';
export { publishAgain } from './log/publish-again.ts';
export type { Logged } from './log/read.ts';
export { rebuild, tableDigest, type ReadModel, type Rebuilt } from './log/rebuild.ts';
export { messageOf, relay, type OutgoingMessage, type Relay, type RelayOptions } from './log/relay.ts';
export { waves } from './log/waves.ts';
export { int2s, int4s, int8s, jsonbs, texts, times, uuids } from './pg/arrays.ts';
export { connection, LONG_WORK, PLANS_FOR_ARRAYS } from './pg/connection.ts';
export { isTransient, isTransientState, violated } from './pg/faults.ts';
export { prepared } from './pg/prepared.ts';
export { openStore, type Store, type StoreOptions, type ToMessages } from './store.ts';
export { observeWriters, waitingCommands } from './stream/statistics.ts';
export { streams, streamsWithSharedCommits, type Streams } from './stream/streams.ts';
export type {
  Context,
  Decider,
  Decision,
  Fact,
  Place,
  Projection,
  Queries,
  Recorded,
  Statements,
  Upcasts,
} from './types.ts';
