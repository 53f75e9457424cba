import { instanceTag, type Instances } from '@beltway/kit/instances';
import type { Choose } from './forward.ts';

/**
 * A socket.io session lives in the instance that opened it, and each of its long polls, and its WebSocket, must reach that one.
 * Realtime writes its own tag before the ids it gives (`sid`), so that any gateway can tell, without keeping anything. Answers
 * the instance that a request's session is in; nothing for a request that opens one, or when nobody has that tag.
 */
export function instanceOfSession({ all }: Instances): Choose {
  const byTag = new Map(all.map((url) => [instanceTag(url), url]));
  return ({ url = '' }) => {
    const tag = /[?&]sid=(\w+)\./.exec(url)?.[1];
    return tag === undefined ? undefined : byTag.get(tag);
  };
}
