import { mkdirSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { prepareKafka } from '@beltway/test-engines/kafka';
import { countReport, failuresOf, readReport } from './checks/count.ts';
import { byProject, parseNarrowing, type Narrowing } from './checks/narrow.ts';
import { resultsFile, run, runAll, statics, testFiles, vitest } from './checks/steps.ts';
import { buildFrontend } from './launcher/frontend.ts';
import { root } from './launcher/settings.ts';
import { prepareEngines } from './testing/engines.ts';

/**
 * `npm test`: the tests in rounds, from the fast to the whole; format, lint and types run beside the first. Everything runs even
 * when something before it failed. The last line sums up; what is no test (format, lint, types) counts there only when it failed.
 *
 * `npm test -- services/ticketing -t "never sells"`: only the tests that match, in the same rounds, and nothing but tests.
 */
let narrowing: Narrowing | undefined;
try {
  narrowing = parseNarrowing(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\nUsage: npm test [-- part/of/a/path … -t "part of a test name"]`);
  process.exit(1);
}
const narrowed = narrowing && byProject(await testFiles(), narrowing, root);
if (narrowed?.size === 0) {
  console.error(
    `No test file ${narrowing!.paths.length > 0 ? `has ${narrowing!.paths.join(' or ')} in its path` : `contains "${narrowing!.name}"; for a title that is put together, give a path too`}.`,
  );
  process.exit(1);
}
/** Whether a project has anything to run. */
const wanted = (project: string): boolean => !narrowed || narrowed.has(project);

const total = { passed: 0, failed: 0 };
/** Named once more at the end: the output of a whole run is long, and who keeps it may keep its end only. */
const failures: string[] = [];
/** Built once: else each of the first systems would build it, side by side. */
const page = ['e2e', 'chaos', 'engines'].some(wanted)
  ? buildFrontend((text) => console.log(text)).catch((error: Error) => {
      console.log(`FAILED page\n${error.message}`);
      total.failed++;
    })
  : undefined;
const checks = narrowed ? Promise.resolve([]) : runAll(statics, 1);
await page;

/** What follows the first of a round runs beside it, for its tests wait much: for a broker, for what was killed. Its output is shown only when it fails. */
const rounds: Array<Array<[name: string, projects: string[]]>> = [
  [['unit', ['unit', 'frontend']]],
  [['int', ['int']]],
  [
    ['e2e', ['e2e']],
    ['chaos', ['chaos']],
  ],
];
const KAFKA_ROUND = 1;

/** Rounds that need what not every machine has, and why they cannot run here. */
const without = new Map<string, string>();
for (const [name, prepare] of [
  ['kafka', prepareKafka],
  ['engines', prepareEngines],
] as const) {
  if (!wanted(name)) continue;
  const why = await prepare();
  if (why !== undefined) without.set(name, why);
  else if (name === 'kafka') rounds[KAFKA_ROUND]!.push([name, [name]]);
  else rounds.push([[name, [name]]]);
}

for (const round of rounds)
  await Promise.all(
    round.map(async ([name, all], place) => {
      const projects = all.filter(wanted);
      if (projects.length === 0) return;
      const only = narrowed && { files: projects.flatMap((project) => narrowed.get(project)!), name: narrowing?.name };
      const file = resultsFile(name);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      const { ok } = await run({ ...vitest(name, projects, only), loud: place === 0 });
      const report = readReport(file);
      const { passed, failed } = countReport(report, ok);
      failures.push(...failuresOf(report).map((failure) => `${name}: ${relative(root, failure)}`));
      total.passed += passed;
      total.failed += failed;
    }),
  );
for (const { ok } of await checks) if (!ok) total.failed++;
for (const [name, why] of without) {
  // A machine without Docker and Java can test the rest; where everything must be tested, that is a failure.
  const must = process.env['CI'] !== undefined;
  console.log(`${must ? 'FAILED' : 'NOT RUN'} ${name}: ${why}`);
  if (must) total.failed++;
}
if (narrowed && total.passed + total.failed === 0)
  console.error(`No test of npm test matches ${process.argv.slice(2).join(' ')}.`);
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
