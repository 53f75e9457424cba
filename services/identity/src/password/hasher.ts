import { gauges } from '@beltway/kit/metrics';
import { HttpProblem } from '@beltway/kit/problems';
import { argon, type Argon } from './argon.ts';
import { fairQueue, type Asker } from './fair-queue.ts';

/** What may be done with passwords in one's turn, one at a time. */
export interface Hashing {
  hash(password: string): Promise<string>;
  /** With no hash it costs the same and answers false: nobody can tell by the time that the account does not exist. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export interface Hasher {
  /** Throws 429 when there is no room to wait. */
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

/** A hash of 32 random bytes nobody kept, with the cost of the others: what the password of an unknown account is compared with. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$i+P1nKKOQoJWLeogvCVV9w$eVfvBJO/iseF+4f9E9f430/JtFmdmRAX2tBnDGJNYgc';

const busy = () =>
  new HttpProblem(429, 'busy', {
    retryAfter: 2,
  });

/**
 * A fair and bounded queue in front of argon2. A storm of logins thus never takes the cores from the shop (one core at most, and that
 * only where nobody else wants it: `argon-thread.ts`), nor the turns from those who sign in elsewhere.
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
