export { int2s, int4s, int8s, texts, times, uuids } from './arrays.ts';
export { CommandReused, Overloaded, Rejected } from './errors.ts';
export { follow, type Follower, type Logged } from './follow.ts';
export { fingerprintOf, uuidFrom } from './ids.ts';
export { rebuild, type ReadModel, type Rebuilt } from './rebuild.ts';
export { relay, messageId, type Outgoing, type OutgoingMessage } from './relay.ts';
export { openStore, type Store } from './store.ts';
export { streams, type Streams } from './streams.ts';
export type { Context, Decider, Decision, Fact, Place, Projection, Queries, Recorded, Statements } from './types.ts';
