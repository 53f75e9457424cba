import type { Instances } from '@beltway/kit/instances';
import type { Choose } from './forward.ts';

/**
 * A socket.io session lives in the instance that opened it, so its long polls and its WebSocket must reach that one.
 * Realtime puts the id of its instance before the session ids it gives (`sid`), so a gateway keeps no state. Gives the
 * instance of a request's session; undefined for a request that opens one, or when no instance has that id.
 */
export const instanceOfSession =
  (instances: Instances): Choose =>
  ({ url = '' }) => {
    const id = /[?&]sid=(\w+)\./.exec(url)?.[1];
    return id === undefined ? undefined : instances.all.find((one) => instances.idOf(one) === id);
  };
