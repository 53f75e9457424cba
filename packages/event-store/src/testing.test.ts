import { expect, test } from 'vitest';
import { scenarios } from './testing.ts';
import type { Decider } from './types.ts';

interface Terms {
  size: number;
}
type Event = { type: 'Opened' | 'Changed'; data: Terms };
type Shelf = { terms: Terms };

const opened: Event = { type: 'Opened', data: { size: 1 } };
const changed: Event = { type: 'Changed', data: { size: 2 } };
const shelf = (rules: Partial<Decider<Shelf, Terms, Event>>) =>
  scenarios<Shelf, Terms, Event>({
    initial: () => ({ terms: { size: 0 } }),
    decide: ({ size }) => [{ type: 'Changed', data: { size } }],
    evolve: (state, { data }) => ({ ...state, terms: data }),
    ...rules,
  });

test('a decider that follows the rules passes', () => shelf({})(opened).when({ size: 2 }).yields(changed));

test('an evolve that changes an event is detected', () => {
  const given = shelf({ evolve: (state, { data }) => (data.size++, state) });
  expect(() => given(opened).when({ size: 2 }).yields(changed)).toThrow(/read only/);
  // The same applies to an event that was just decided.
  expect(() => given().when({ size: 2 }).yields(changed)).toThrow(/read only/);
});

test('an evolve that keeps event data and changes it later is detected', () => {
  const given = shelf({
    evolve: (state, { type, data }) => {
      if (type === 'Opened') state.terms = data;
      else state.terms.size = data.size;
      return state;
    },
  });
  expect(() => given(opened, changed).when({ size: 3 }).rejects('full')).toThrow(/read only/);
});

test('a decide that changes its command or the state is detected', () => {
  const changesCommand = shelf({ decide: (command) => (command.size++, []) });
  expect(() => changesCommand(opened).when({ size: 2 }).yields()).toThrow(/read only/);
  const changesState = shelf({ decide: (_command, state) => ((state.terms = { size: 9 }), []) });
  expect(() => changesState(opened).when({ size: 2 }).yields()).toThrow('deciding changed the state');
});
