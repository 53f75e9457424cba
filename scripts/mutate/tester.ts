import { join } from 'node:path';
import { createVitest, type TestCase, type TestModule, type TestSpecification } from 'vitest/node';
import configuration from '../../vitest.config.ts';
import { root } from '../launcher/settings.ts';

/**
 * This process runs the tests of one file repeatedly, each time with another text instead of the file; the source does not change.
 * The parent process kills it, with all of its workers, when a run takes too long.
 */
export interface Task {
  /** The text that the tests load instead of the file. */
  text: string;
  /** The test files to run, in this order; undefined: all that import the file. */
  tests?: string[] | undefined;
}

export interface TestFileResult {
  test: string;
  ok: boolean;
  ms: number;
  /** The blocks that its tests reach, if `withProbes` made the text. */
  reached: number[];
}

export interface Outcome {
  files: TestFileResult[];
  /** The title of the first test that failed, or what else went wrong. */
  failure: string | undefined;
}

export interface TesterOptions {
  /** The absolute path of the mutated file. */
  file: string;
  tier: 'unit' | 'int';
  /** The folder whose tests are run. */
  within: string;
  workers: number;
  /** True: each test file has its own process, and its probes report what loading the file runs. */
  isolate: boolean;
}

/** A mutant makes many tests wait for nothing: they give up sooner than in `npm test`. */
const PATIENCE = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 15_000 } } };

async function openTester({ file, tier, within, workers, isolate }: TesterOptions) {
  const projects = (configuration as { test: { projects: Array<string | { test: { name: string } }> } }).test.projects;
  const project = projects.find((one) => typeof one !== 'string' && one.test.name === tier) as { test: object };
  let text: string | undefined;
  let failed: ((test: TestCase) => void) | undefined;
  class AsGiven {
    sort = (files: TestSpecification[]) => files;
    shard = (files: TestSpecification[]) => files;
  }
  const vitest = await createVitest(
    'test',
    {
      ...project.test,
      ...PATIENCE,
      config: false,
      root,
      watch: false,
      // The cache on disk would return the original instead of the mutant.
      fsModuleCache: false,
      dir: within,
      related: [file],
      isolate,
      maxWorkers: workers,
      // A mutant that allocates endlessly must not exhaust the machine's memory.
      execArgv: ['--max-old-space-size=1024'],
      bail: isolate ? 0 : 1,
      reporters: [
        {
          onTestCaseResult: (test: TestCase) => {
            if (test.result().state === 'failed') failed?.(test);
          },
        },
      ],
      sequence: { sequencer: AsGiven as never },
      setupFiles: [join(root, 'scripts', 'mutate', 'reached.ts')],
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id: string) => (id.split('?')[0] === file ? text : undefined),
        },
      ],
    },
  );
  await vitest.standalone();
  const related = await vitest.getRelevantTestSpecifications();

  /** Reports the outcome once: at the first failed test of a mutant, or at the end. */
  async function run(task: Task, report: (outcome: Outcome) => void): Promise<void> {
    text = task.text;
    vitest.invalidateFile(file);
    const chosen = task.tests
      ? task.tests.flatMap((test) => related.find(({ moduleId }) => moduleId === test) ?? [])
      : related;
    if (chosen.length === 0) return report({ files: [], failure: undefined });
    let isReported = false;
    failed = (test) => {
      if (isolate || isReported) return;
      isReported = true;
      report({ files: [{ test: test.module.moduleId, ok: false, ms: 0, reached: [] }], failure: test.fullName });
    };
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
    if (!isReported) report({ files: testModules.map(resultOf), failure: failureOf(testModules, unhandledErrors) });
  }
  return { run };
}

const resultOf = (module: TestModule): TestFileResult => ({
  test: module.moduleId,
  ok: module.ok(),
  ms: module.diagnostic().duration,
  reached: (module.meta() as { reached?: number[] }).reached ?? [],
});

function failureOf(modules: readonly TestModule[], errors: readonly unknown[]): string | undefined {
  for (const module of modules) {
    for (const test of module.children.allTests('failed')) return test.fullName;
    const [error] = module.errors();
    if (error) return `${module.relativeModuleId}: ${error.message}`;
    if (module.state() === 'failed') return module.relativeModuleId;
  }
  const [error] = errors;
  return error === undefined ? undefined : String((error as Error).message);
}

// The parent process is gone: no one else would end a worker that loops.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
const tester = await openTester(JSON.parse(process.argv[2]!) as TesterOptions);
process.on('message', (task: Task) => {
  tester
    .run(task, (outcome) => process.send!(outcome))
    .then(
      () => process.send!('idle'),
      (error: Error) => process.send!({ files: [], failure: error.message } satisfies Outcome),
    );
});
process.send!('idle');
