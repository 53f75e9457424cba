import { expect, onTestFailed, test } from 'vitest';
import type { Kind } from './checker/evidence.ts';
import { runChaos } from './run.ts';
import type { Rule } from './options.ts';

/**
 * For each rule, the violations that only this rule prevents. Without the rule, the same checker must find these
 * violations, even without any kill.
 */
const PREVENTS: Array<[rule: Rule, kinds: Kind[], rush: boolean]> = [
  ['fence', ['log', 'readModel'], false],
  // Single buyers seldom cause pipelined groups; a rush does.
  ['pipelining', ['oversold', 'log'], true],
  ['command-id', ['paidUnsettled', 'lost'], false],
  ['inbox', ['readModel'], false],
];

test.each(PREVENTS)('without the %s rule the checker finds violations', async (rule, kinds, rush) => {
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
