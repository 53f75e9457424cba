import { expect, test } from 'vitest';
import { fairQueue, type Asker } from './fair-queue.ts';

const busy = new Error('busy');

/** A queue whose jobs end on command. Records the executed jobs in order, and the refused jobs. */
function held(options: { waiting: number; waitingEach: number; running?: number }) {
  const queue = fairQueue({ running: 1, ...options, refusal: () => busy });
  const served: string[] = [];
  const refused: string[] = [];
  const ends: Array<() => void> = [];
  const ask = (name: string, asker: Partial<Asker>) =>
    void queue
      .inTurn({ group: name, member: name, known: false, ...asker }, () => {
        served.push(name);
        return new Promise<void>((end) => ends.push(end));
      })
      .catch((error: unknown) => {
        if (error === busy) refused.push(name);
        else throw error;
      });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ask,
    served,
    refused,
    ends,
    settle,
    finish: async (turns = Infinity) => {
      await settle();
      for (let turn = 0; turn < turns && ends.length > 0; turn++) {
        ends.shift()!();
        await settle();
      }
    },
  };
}

const times = (count: number, work: (i: number) => void) => Array.from({ length: count }, (_, i) => work(i));

test('runs at most the permitted number of jobs, and the jobs of a member in order', async () => {
  const queue = held({ running: 2, waiting: 10, waitingEach: 10 });
  for (const name of ['a', 'b', 'c', 'd']) queue.ask(name, { group: 'one', member: 'one' });
  await queue.settle();
  expect(queue.ends).toHaveLength(2);
  await queue.finish();
  expect(queue.served).toEqual(['a', 'b', 'c', 'd']);
});

test('one address with a hundred requests delays the others by one turn each', async () => {
  const queue = held({ waiting: 128, waitingEach: 32 });
  times(100, (i) => queue.ask('attacker', { member: `account ${i}` }));
  times(5, (i) => queue.ask(`innocent ${i}`, {}));
  // One job runs and 32 wait.
  await queue.settle();
  expect(queue.refused).toHaveLength(100 - 33);
  await queue.finish(7);
  expect(queue.served.filter((name) => name.startsWith('innocent'))).toHaveLength(5);
});

test('forty addresses that fill the queue make room for every address with fewer requests', async () => {
  const queue = held({ waiting: 128, waitingEach: 32 });
  times(40, (from) => times(10, (i) => queue.ask('attacker', { group: `attacker ${from}`, member: `account ${i}` })));
  times(23, (i) => queue.ask(`innocent ${i}`, {}));
  await queue.settle();
  expect(queue.refused.filter((name) => name.startsWith('innocent'))).toEqual([]);
  // One rotation later every address has had a turn.
  await queue.finish(1 + 40 + 23);
  expect(queue.served.filter((name) => name.startsWith('innocent'))).toHaveLength(23);
});

test('when every address has one place, a new request is refused', async () => {
  const queue = held({ waiting: 3, waitingEach: 3 });
  for (const name of ['running', 'a', 'b', 'c', 'newcomer']) queue.ask(name, {});
  await queue.settle();
  expect(queue.refused).toEqual(['newcomer']);
  await queue.finish();
  expect(queue.served).toEqual(['running', 'a', 'b', 'c']);
});

test('one account does not take the turns of other accounts at the same address', async () => {
  const queue = held({ waiting: 128, waitingEach: 4 });
  const office = { group: 'office' };
  times(6, (i) => queue.ask(`guess ${i}`, { ...office, member: 'besieged' }));
  queue.ask('ann', { ...office, member: 'ann' });
  queue.ask('bob', { ...office, member: 'bob' });
  await queue.settle();
  expect(queue.refused).toEqual(['guess 5', 'guess 4', 'guess 3']);
  await queue.finish();
  expect(queue.served).toEqual(['guess 0', 'guess 1', 'ann', 'bob', 'guess 2']);
});

test('known devices get every second turn, however many unknown devices wait', async () => {
  const queue = held({ waiting: 128, waitingEach: 32 });
  times(1_000, (i) => queue.ask('attacker', { group: `attacker ${i}` }));
  times(3, (i) => queue.ask(`known ${i}`, { known: true }));
  await queue.finish(6);
  expect(queue.served.slice(0, 7)).toEqual([
    'attacker',
    'known 0',
    'attacker',
    'known 1',
    'attacker',
    'known 2',
    'attacker',
  ]);
  expect(queue.refused).not.toContain('known 0');
});

test('a failed job frees its slot', async () => {
  const queue = fairQueue({ running: 1, waiting: 0, waitingEach: 0, refusal: () => busy });
  const asker = { group: 'a', member: 'a', known: false };
  await expect(queue.inTurn(asker, () => Promise.reject(new Error('out of memory')))).rejects.toThrow('out of memory');
  expect(await queue.inTurn(asker, () => Promise.resolve(1))).toBe(1);
});
