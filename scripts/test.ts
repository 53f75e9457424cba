import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { prepareKafka } from '@beltway/test-engines/kafka';
import { appendFlaky } from './checks/flaky.ts';
import { byProject, parseNarrowing, type Narrowing } from './checks/narrow.ts';
import { countReport, failuresOf } from './checks/report.ts';
import { benches, lighthouse, run, runAll, statics, testFiles } from './checks/steps.ts';
import { tiers, type Tier } from './checks/tiers.ts';
import { buildFrontend } from './launcher/frontend.ts';
import { root } from './launcher/settings.ts';
import { prepareEngines } from './testing/engines.ts';

/**
 * `npm test` runs the tests that a change needs, `npm run test:rest` all other tests. Two lanes run concurrently,
 * because most tests wait more than they compute. Everything runs even after a failure; files that failed by chance are
 * rerun alone at the end (chance.ts). The last line is the summary; format, lint and types count there only if they
 * failed.
 *
 * `npm test -- services/ticketing -t "never sells"` runs the matching tests of all tiers, without format, lint and
 * types.
 */
const UNIT: Tier = { name: 'unit', projects: ['unit', 'frontend'], reruns: false };
const INT: Tier = { name: 'int', projects: ['int'], reruns: true };
const MAIN_JOB: Tier = { name: 'main-job', projects: ['main-job'], reruns: true };
const STORIES: Tier = { name: 'e2e', projects: ['e2e'], reruns: true };
const KAFKA: Tier = { name: 'kafka', projects: ['kafka'], reruns: true, prepare: prepareKafka };
const CHAOS: Tier = { name: 'chaos', projects: ['chaos'], reruns: false };
const ENGINES: Tier = { name: 'engines', projects: ['engines'], reruns: true, prepare: prepareEngines };
const FULL_SYSTEM = [MAIN_JOB, STORIES, CHAOS, ENGINES];

const args = process.argv.slice(2);
const isRest = args[0] === '--rest';
let narrowing: Narrowing | undefined;
try {
  narrowing = parseNarrowing(isRest ? args.slice(1) : args);
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

/** Failures outside of vitest. */
const failures: string[] = [];
const all = tiers(narrowed, narrowing);

/** Builds the page before the first system starts, because systems that start concurrently would each build it. */
async function page(): Promise<void> {
  const needsIt = FULL_SYSTEM.flatMap(({ projects }) => projects);
  if (narrowed && !needsIt.some((project) => narrowed.has(project))) return;
  await buildFrontend((text) => console.log(text)).catch((error: Error) => {
    console.log(error.message);
    failures.push('page');
  });
}

async function staticChecks(): Promise<void> {
  for (const { name, ok } of await runAll(statics, 1)) if (!ok) failures.push(name);
}

async function firstPage(): Promise<void> {
  if (!(await run(lighthouse)).ok) failures.push(lighthouse.name);
}

async function inTurn(loud: boolean, ...all_: Tier[]): Promise<void> {
  for (const tier of all_) await all.run(tier, { loud });
}

async function changeLanes(): Promise<void> {
  const beside = async () => {
    await page();
    await staticChecks();
    await inTurn(false, MAIN_JOB);
  };
  await Promise.all([inTurn(true, UNIT, INT), beside()]);
}

async function restLanes(): Promise<void> {
  await page();
  const beside = async () => {
    await inTurn(false, KAFKA, CHAOS);
    await firstPage();
  };
  await Promise.all([inTurn(true, STORIES), beside()]);
  // These tests run sixteen processes, Kafka and Redis, which need both cores: concurrently with the stories they would
  // time out on a slow machine.
  await inTurn(false, ENGINES);
  if (!(await run(benches)).ok) failures.push(benches.name);
}

async function narrowedLanes(): Promise<void> {
  await page();
  await Promise.all([inTurn(true, UNIT, INT, MAIN_JOB, STORIES), inTurn(true, KAFKA, CHAOS, ENGINES)]);
}

await (narrowed ? narrowedLanes() : isRest ? restLanes() : changeLanes());
const flaky = await all.rerun();
for (const [name, reason] of all.unable) {
  // A machine without Docker and Java can run the other tests. In CI a missing tier is a failure.
  const must = process.env['CI'] !== undefined;
  console.log(`${must ? 'FAILED' : 'NOT RUN'} ${name}: ${reason}`);
  if (must) failures.push(name);
}

let passed = 0;
let failed = failures.length;
for (const { name, report, ok } of all.runs) {
  const counts = countReport(report, ok);
  passed += counts.passed;
  failed += counts.failed;
  failures.push(...failuresOf(report).map((failure) => `${name}: ${relative(root, failure)}`));
}
if (narrowed && passed + failed === 0) console.error(`No test matches ${args.join(' ')}.`);
appendFlaky(process.env['FLAKY_REPORT'] || join(homedir(), '.cache', 'beltway', 'flaky.jsonl'), flaky);
for (const { tier, file, output, load } of flaky)
  console.log(`FLAKY ${tier}: ${relative(root, file)} (load ${load.toFixed(1)})\n${output.replaceAll(/^/gm, '  ')}`);
// Repeats the failures at the end, because the output of a whole run is long.
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
