import { isDeepStrictEqual, inspect } from 'node:util';
import { Rejected } from './errors.ts';
import type { Logged } from './log/read.ts';
import { outgoing, type Outgoing } from './log/outgoing.ts';
import type { Decider, Fact } from './types.ts';

/** Freezes a value deeply, so that changing it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/**
 * Expresses rules as sentences: `given(events…).when(command).yields(events…)` or `.rejects(code)`. The method is not
 * named `then`, because JavaScript treats an object with a `then` method as a promise. Throws if a decider changes an
 * event (even an event kept in its state), a command, or, in `decide`, the state.
 */
export function scenarios<State, Command, Event extends Fact>({
  initial,
  decide,
  evolve,
}: Decider<State, Command, Event>) {
  return (...past: Event[]) => ({
    when: (command: Command) => {
      const apply = (state: State, event: Event): State => evolve(state, frozen(structuredClone(event)));
      const attempt = () => {
        const state = past.reduce(apply, initial());
        const before = structuredClone(state);
        try {
          return decide(frozen(structuredClone(command)), state);
        } finally {
          if (!isDeepStrictEqual(state, before)) throw new Error('deciding changed the state');
        }
      };
      return {
        yields: (...expected: Event[]) => {
          const events = attempt();
          if (!isDeepStrictEqual(events, expected))
            throw new Error(`expected ${inspect(expected, { depth: 9 })}\n     got ${inspect(events, { depth: 9 })}`);
          [...past, ...events].reduce(apply, initial());
        },
        rejects: (code: string) => {
          let events: Event[];
          try {
            events = attempt();
          } catch (error) {
            if (error instanceof Rejected && error.code === code) return;
            throw error;
          }
          throw new Error(`expected to be rejected with ${code}, got ${inspect(events, { depth: 9 })}`);
        },
      };
    },
  });
}

/** Creates a message with the event's own data. Its schema accepts any data. */
export const plainMessage = (of: Logged, type: string): Outgoing =>
  outgoing(of, { shape: { type: { value: type }, version: { value: 1 }, data: { parse: (data) => data } } }, of.data);
