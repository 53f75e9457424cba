import { isDeepStrictEqual, inspect } from 'node:util';
import { Rejected } from './errors.ts';
import type { Decider, Fact } from './types.ts';

/**
 * Rules as sentences: `given(events…).when(command).yields(events…)` or `.rejects(code)`.
 * The word is `yields`, because an object with a `then` method is a promise to JavaScript.
 */
export function scenarios<State, Command, Event extends Fact>({
  initial,
  decide,
  evolve,
}: Decider<State, Command, Event>) {
  return (...past: Event[]) => ({
    when: (command: Command) => {
      const attempt = () =>
        decide(
          command,
          past.reduce((state, event) => evolve(state, structuredClone(event)), initial()),
        );
      return {
        yields: (...expected: Event[]) => {
          const events = attempt();
          if (!isDeepStrictEqual(events, expected))
            throw new Error(`expected ${inspect(expected, { depth: 9 })}\n     got ${inspect(events, { depth: 9 })}`);
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
