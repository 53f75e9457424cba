import { expect, onTestFailed, test } from 'vitest';
import type { Kind } from './checker/evidence.ts';
import { runChaos } from './run.ts';
import type { Rule } from './options.ts';

/** What each rule alone prevents: with it gone the same checker finds this, and without any kill. */
const PREVENTS: Array<[rule: Rule, kinds: Kind[], rush: boolean]> = [
  ['fence', ['log', 'readModel'], false],
  // Buyers that come one by one seldom make groups that are pipelined: a rush does.
  ['pipelining', ['oversold', 'log'], true],
  ['command-id', ['paidUnsettled', 'lost'], false],
  ['inbox', ['readModel'], false],
];

test.each(PREVENTS)('without the %s the checker finds it broken', async (rule, kinds, rush) => {
  const said: string[] = [];
  onTestFailed(() => console.log(said.join('\n')));
  const say = (text: string) => said.push(text);
  const { violations } = await runChaos({
    seed: '1',
    kills: 0,
    without: rule,
    engines: false,
    rush,
    saleRouting: false,
    keep: false,
    say,
  });
  const found = kinds.reduce((sum, kind) => sum + violations[kind], 0);
  expect(found, JSON.stringify(violations)).toBeGreaterThan(0);
});
