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
import type { TestFileResult } from './mutate/tester.ts';
import { setup } from './testing/postgres.ts';

/**
 * `npm run mutate -- services/ticketing/src/sale/decider.ts` makes one small change at a time (`mutate/mutants.ts`) and runs the
 * tests that reach it: unit tests first, then integration tests. A mutant that survives is a rule that no test checks. The sources
 * do not change: the tests load the mutant instead of the file.
 */
const USAGE = `Usage: npm run mutate [-- part/of/a/path or file.ts:10-20 …] [--unit] [--jobs 2]
Without a path: deciders, processes, the event store, the bus and the consumers.`;

type Tier = 'unit' | 'int';

/** Workers of each tester: unit tests compute, integration tests wait. */
const WORKERS = { unit: 1, int: 2 };
/** The time limit of a mutant: this, plus three times the duration of its tests on the original. */
const LIMIT_MS = 15_000;
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
  const baseline = openTester({ ...common, workers: WORKERS[tier] * options.jobs, isolate: true });
  const before = await baseline.run({ text: withProbes(source) }, BASELINE_LIMIT_MS);
  baseline.end();
  if (!before || before.failure !== undefined)
    throw new Error(`${file}: its ${tier} tests fail without a mutant: ${before?.failure ?? 'they take too long'}`);

  const kills = new Map<string, number>();
  /** The tests that killed most mutants come first, then the short ones. */
  const testsOf = ({ block }: Mutant): TestFileResult[] =>
    before.files
      .filter(({ reached }) => reached.includes(block))
      .toSorted((a, b) => (kills.get(b.test) ?? 0) - (kills.get(a.test) ?? 0) || a.ms - b.ms);
  const survivors: Mutant[] = [];
  const queue = [...mutants];
  await Promise.all(
    Array.from({ length: options.jobs }, async () => {
      const tester = openTester({ ...common, workers: WORKERS[tier], isolate: false });
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const tests = testsOf(mutant);
        if (tests.length === 0) {
          survivors.push(mutant);
          continue;
        }
        tested.add(mutant);
        const limitMs = LIMIT_MS + LIMIT_TIMES * tests.reduce((sum, { ms }) => sum + ms, 0);
        const task = { text: mutated(source, mutant), tests: tests.map(({ test }) => test) };
        const outcome = await tester.run(task, limitMs);
        if (!outcome) counts.overTime++;
        else if (outcome.failure === undefined) survivors.push(mutant);
        else {
          counts.killed++;
          for (const { test, ok } of outcome.files) if (!ok) kills.set(test, (kills.get(test) ?? 0) + 1);
        }
      }
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
      // Two lines before it tell equal lines apart.
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
    process.exit(1);
  });
/** All testers share one server: a tester that is killed cannot stop its own. */
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
