import { gauges } from '@beltway/kit/metrics';
import { HttpProblem } from '@beltway/kit/problems';
import { argon, type Argon } from './argon.ts';
import { fairQueue, type Asker } from './fair-queue.ts';

/** Password operations during one turn of the queue. They run one at a time. */
export interface Hashing {
  hash(password: string): Promise<string>;
  /** Without `hash`, returns false after the same time, so that timing does not reveal whether the account exists. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export interface Hasher {
  /** Throws 429 when the queue has no room. */
  inTurn<T>(asker: Asker, work: (hashing: Hashing) => Promise<T>): Promise<T>;
}

export interface HasherOptions {
  running: number;
  waiting: number;
  waitingEach?: number;
  argon?: Argon;
}

let underWay = 0;
gauges({ password_hashes_under_way: 'Sign-ins that wait for a password hash, or have theirs made' }, [], () => [
  { values: { password_hashes_under_way: underWay } },
]);

/** A hash of 32 random bytes, at the usual cost. Passwords for unknown accounts are compared with this hash. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$i+P1nKKOQoJWLeogvCVV9w$eVfvBJO/iseF+4f9E9f430/JtFmdmRAX2tBnDGJNYgc';

const busy = () =>
  new HttpProblem(429, 'busy', {
    retryAfter: 2,
  });

/**
 * A fair, bounded queue in front of argon2. A flood of sign-ins uses at most one core, and only while that core is
 * otherwise idle (`argon-thread.ts`). The flood does not delay sign-ins from other networks.
 */
export function createHasher({ running, waiting, waitingEach = waiting, argon: own = argon }: HasherOptions): Hasher {
  const queue = fairQueue({ running, waiting, waitingEach, refusal: busy });
  const hashing: Hashing = {
    hash: (password) => own.hash(password),
    verify: async (known, password) => (await own.verify(known ?? NOBODY, password)) && known !== undefined,
  };
  return {
    async inTurn(asker, work) {
      underWay++;
      try {
        return await queue.inTurn(asker, () => work(hashing));
      } finally {
        underWay--;
      }
    },
  };
}
