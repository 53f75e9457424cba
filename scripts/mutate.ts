import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './launcher/settings.ts';
import { KNOWN } from './mutate/known.ts';
import { changeOf, mutantsOf, mutated, withProbes, type Mutant } from './mutate/mutants.ts';
import { selectTargets, type Target } from './mutate/targets.ts';
import { endAllTesters, openTester } from './mutate/testers.ts';
import type { Outcome, TestFileResult, TesterOptions } from './mutate/tester.ts';
import { setup } from './testing/postgres.ts';

/**
 * `npm run mutate -- services/ticketing/src/sale/decider.ts` makes one small change at a time (`mutate/mutants.ts`) and
 * runs the tests that reach it: unit tests first, then integration tests. A surviving mutant shows a rule that no test
 * checks. The source files do not change: the tests load the mutant instead of the file.
 */
const USAGE = `Usage: npm run mutate [-- part/of/a/path or file.ts:10-20 …] [--unit] [--jobs 2]
Without a path: deciders, processes, the event store, the bus and the consumers.`;

type Tier = 'unit' | 'int';

/**
 * Time limit for a test file on a mutant, in addition to three times the file's duration on the original. The limit
 * ends endless loops.
 */
const LIMIT_MS = 10_000;
const LIMIT_TIMES = 3;
const BASELINE_LIMIT_MS = 15 * 60_000;

interface Counts {
  mutants: number;
  killed: number;
  overTime: number;
  known: number;
  survived: number;
}
const none = (): Counts => ({ mutants: 0, killed: 0, overTime: 0, known: 0, survived: 0 });

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { unit: { type: 'boolean', default: false }, jobs: { type: 'string' } },
    allowPositionals: true,
  });
  const jobs = Number(values.jobs ?? Math.min(2, availableParallelism()));
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs needs a whole number from 1 on');
  const files = execFileSync('git', ['ls-files', 'packages', 'services'], { cwd: root, encoding: 'utf8' }).split('\n');
  const targets = selectTargets(files, positionals);
  return { targets, jobs, tiers: (values.unit ? ['unit'] : ['unit', 'int']) satisfies Tier[] as Tier[] };
}

let options: ReturnType<typeof readArguments>;
try {
  options = readArguments();
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exit(1);
}

/**
 * Runs the tests on the original. Reruns failed test files alone, because the failures may be due to the machine's
 * load.
 */
async function baselineOf(tests: TesterOptions, text: string): Promise<TestFileResult[]> {
  const tester = openTester(tests);
  const files = new Map<string, TestFileResult>();
  const note = (outcome: Outcome | undefined) => {
    if (!outcome) throw new Error(`the ${tests.tier} tests of ${tests.file} take too long, or end their process`);
    for (const file of outcome.files) files.set(file.test, file);
  };
  try {
    note(await tester.run({ text }, BASELINE_LIMIT_MS));
    for (const { test, failure } of files.values()) {
      if (failure !== undefined) note(await tester.run({ text, test }, BASELINE_LIMIT_MS));
      const again = files.get(test)!.failure;
      if (again !== undefined) throw new Error(`${tests.file}: without a mutant a test fails: ${again}`);
    }
  } finally {
    tester.end();
  }
  return [...files.values()];
}

/** Runs the tests of a tier on each mutant that they reach, and returns the survivors. */
async function survivorsOf(
  { file, within }: Target,
  source: string,
  mutants: Mutant[],
  tier: Tier,
  counts: Counts,
  tested: Set<Mutant>,
): Promise<Mutant[]> {
  const common = { file: join(root, file), within: join(root, within), tier };
  const files = await baselineOf({ ...common, workers: options.jobs, isBaseline: true }, withProbes(source));

  const kills = new Map<string, number>();
  /** The tests that reach the mutant, sorted by the number of mutants that they killed, then by duration. */
  const testsOf = ({ block }: Mutant): TestFileResult[] =>
    files
      .filter(({ reached }) => reached.includes(block))
      .toSorted((a, b) => (kills.get(b.test) ?? 0) - (kills.get(a.test) ?? 0) || a.ms - b.ms);
  const survivors: Mutant[] = [];
  const queue = [...mutants];

  async function survives(mutant: Mutant, tester: ReturnType<typeof openTester>): Promise<boolean> {
    for (const { test, ms } of testsOf(mutant)) {
      tested.add(mutant);
      const outcome = await tester.run({ text: mutated(source, mutant), test }, LIMIT_MS + LIMIT_TIMES * ms);
      if (outcome && outcome.failure === undefined) continue;
      counts[outcome ? 'killed' : 'overTime']++;
      kills.set(test, (kills.get(test) ?? 0) + 1);
      return false;
    }
    return true;
  }
  await Promise.all(
    Array.from({ length: options.jobs }, async () => {
      const tester = openTester({ ...common, workers: 1, isBaseline: false });
      for (let mutant = queue.shift(); mutant; mutant = queue.shift())
        if (await survives(mutant, tester)) survivors.push(mutant);
      tester.end();
    }),
  );
  return survivors.toSorted((a, b) => a.start - b.start);
}

async function mutate(target: Target): Promise<Counts> {
  const started = performance.now();
  const { file } = target;
  const source = readFileSync(join(root, file), 'utf8');
  const lines = source.split('\n');
  let open = mutantsOf(source).filter(
    ({ line }) => target.lines.length === 0 || target.lines.some(([from, to]) => line >= from && line <= to),
  );
  const counts = { ...none(), mutants: open.length };
  const tested = new Set<Mutant>();
  const stale = new Set(target.lines.length === 0 ? KNOWN[file] : []);
  for (const tier of options.tiers) {
    if (open.length > 0) open = await survivorsOf(target, source, open, tier, counts, tested);
    open = open.filter((mutant) => {
      // Includes the two lines before the mutant's line, which distinguish equal lines.
      const context = lines.slice(Math.max(0, mutant.line - 3), mutant.line).map((line) => line.trim());
      const change = changeOf(source, mutant);
      const known = KNOWN[file]?.find(([part, of]) => context.join(' ').includes(part) && of === change);
      if (known) {
        stale.delete(known);
        counts.known++;
      }
      return !known;
    });
  }
  counts.survived = open.length;
  for (const mutant of open) {
    const how = tested.has(mutant) ? 'SURVIVED' : 'UNTESTED';
    console.log(
      `${how} ${file}:${mutant.line}  ${changeOf(source, mutant)}\n         ${lines[mutant.line - 1]!.trim()}`,
    );
  }
  for (const [line, change] of stale) console.log(`KILLED   ${file}  ${change}  in mutate/known.ts, at: ${line}`);
  console.log(`${file}: ${sentence(counts)} (${Math.round((performance.now() - started) / 1_000)} s)`);
  return counts;
}

const sentence = ({ mutants, killed, overTime, known, survived }: Counts): string =>
  `${mutants} mutants, ${killed} killed, ${overTime} over time, ${known} known survivors, ${survived} survived`;

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endAllTesters();
    console.error(`Ended by ${signal}`);
    process.exit(1);
  });
/** All testers share one server, because a tester that is killed could not stop its own. */
const stopPostgres = options.tiers.includes('int') ? await setup() : undefined;
const total = none();
try {
  for (const target of options.targets) {
    const counts = await mutate(target).catch((error: Error) => {
      console.error(`FAILED ${error.message}`);
      process.exitCode = 1;
      return none();
    });
    for (const key of Object.keys(total) as Array<keyof Counts>) total[key] += counts[key];
  }
} finally {
  endAllTesters();
  await stopPostgres?.();
}
console.log(`\n${options.targets.length} files: ${sentence(total)}`);
if (total.survived > 0) process.exitCode = 1;
