import type { Instances } from '@beltway/kit/instances';
import type { Choose } from './forward.ts';

/**
 * A socket.io session exists only in the instance that opened it, so its long polls and its WebSocket must reach that
 * instance. Realtime prefixes session ids (`sid`) with the id of the instance, so a gateway stores nothing about
 * sessions. Returns the instance of a request's session. Returns undefined when the request opens a session, or when no
 * instance has that id.
 */
export const instanceOfSession =
  (instances: Instances): Choose =>
  ({ url = '' }) => {
    const id = /[?&]sid=(\w+)\./.exec(url)?.[1];
    return id === undefined ? undefined : instances.all.find((one) => instances.idOf(one) === id);
  };
