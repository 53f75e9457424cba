import { instanceTag, type Instances } from '@beltway/kit/instances';
import type { Choose } from './forward.ts';

/**
 * A socket.io session lives in the instance that opened it, so its long polls and its WebSocket must reach that one.
 * Realtime puts its instance tag before the session ids it gives (`sid`), so a gateway keeps no state. Gives the
 * instance of a request's session; undefined for a request that opens one, or when no instance has that tag.
 */
export function instanceOfSession({ all }: Instances): Choose {
  const byTag = new Map(all.map((url) => [instanceTag(url), url]));
  return ({ url = '' }) => {
    const tag = /[?&]sid=(\w+)\./.exec(url)?.[1];
    return tag === undefined ? undefined : byTag.get(tag);
  };
}
