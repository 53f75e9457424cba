import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { prepareKafka } from '@beltway/kit/testing-kafka';
import { countReport, readReport } from './checks/count.ts';
import { resultsFile, run, runAll, statics, vitest } from './checks/steps.ts';
import { prepareEngines } from './testing/engines.ts';

/**
 * `npm test`: format, lint and types, then the tests in rounds, from the fast to the whole. Everything runs even when
 * something before it failed. The last line sums up; what is no test (format, lint, types) counts there only when it failed.
 */
const total = { passed: 0, failed: 0 };
for (const { ok } of await runAll(statics, 2)) if (!ok) total.failed++;

const rounds: Array<Array<[name: string, projects: string[]]>> = [
  [['unit', ['unit', 'frontend']]],
  [['int', ['int']]],
  [['e2e', ['e2e']]],
  [['chaos', ['chaos']]],
];
/** Most of its time a broker is waited for: it goes beside the first round, and shows what it says when it failed. */
const BESIDE = 'kafka';

/** Rounds that need what not every machine has, and why they cannot run here. */
const without = new Map<string, string>();
for (const [name, prepare] of [
  ['kafka', prepareKafka],
  ['engines', prepareEngines],
] as const) {
  const why = await prepare();
  if (why !== undefined) without.set(name, why);
  else if (name === BESIDE) rounds[0]!.push([name, [name]]);
  else rounds.push([[name, [name]]]);
}

for (const round of rounds)
  await Promise.all(
    round.map(async ([name, projects]) => {
      const file = resultsFile(name);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      const { ok } = await run({ ...vitest(name, projects), loud: name !== BESIDE });
      const { passed, failed } = countReport(readReport(file), ok);
      total.passed += passed;
      total.failed += failed;
    }),
  );
for (const [name, why] of without) {
  // A machine without Docker and Java can test the rest; where everything must be tested, that is a failure.
  const must = process.env['CI'] !== undefined;
  console.log(`${must ? 'FAILED' : 'NOT RUN'} ${name}: ${why}`);
  if (must) total.failed++;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
