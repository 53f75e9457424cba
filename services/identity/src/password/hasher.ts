import { HttpProblem } from '@beltway/kit/problems';
import { argon, type Argon } from './argon.ts';

export interface Hasher {
  /** Throws 429 when the queue is full: asked first, so that in a storm those who are turned away cost nothing. */
  admit(): void;
  hash(password: string): Promise<string>;
  /** With no hash it costs the same and answers false: nobody can tell by the time that the account does not exist. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** A hash of 32 random bytes nobody kept, with the cost of the others: what the password of an unknown account is compared with. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$i+P1nKKOQoJWLeogvCVV9w$eVfvBJO/iseF+4f9E9f430/JtFmdmRAX2tBnDGJNYgc';

/**
 * A bounded queue in front of argon2: at most `running` at once, at most `waiting` behind them. Whoever comes when it is full
 * is told so at once (429, Retry-After); a storm of logins thus never takes the cores from the shop: one core at most, and that
 * only where nobody else wants it (`argon-thread.ts`).
 */
export function createHasher({
  running,
  waiting,
  argon: { hash, verify } = argon,
}: {
  running: number;
  waiting: number;
  argon?: Argon;
}): Hasher {
  const queue: Array<() => void> = [];
  let busy = 0;

  function admit(): void {
    if (busy >= running && queue.length >= waiting)
      throw new HttpProblem(429, 'busy', 'Too many people are signing in at once. Please try again in a moment.', {
        retryAfter: 2,
      });
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    admit();
    if (busy < running) busy++;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      // The place passes to the next in line; only without one does it become free.
      const next = queue.shift();
      if (next) next();
      else busy--;
    }
  }

  return {
    admit,
    hash: (password) => inTurn(() => hash(password)),
    verify: (known, password) => inTurn(async () => (await verify(known ?? NOBODY, password)) && known !== undefined),
  };
}
