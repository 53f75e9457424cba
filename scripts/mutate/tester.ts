import { join } from 'node:path';
import { createVitest, type TestCase, type TestModule } from 'vitest/node';
import configuration from '../../vitest.config.ts';
import { root } from '../launcher/settings.ts';

/**
 * This process runs the tests of one file repeatedly, each time with another text in place of the file. The source file
 * does not change. The parent process kills it, with all of its workers, if a run takes too long.
 */
export interface Task {
  /** The text that the tests load instead of the file. */
  text: string;
  /** The test file to run. Default: all test files that import the file. */
  test?: string;
}

export interface TestFileResult {
  test: string;
  failure: string | undefined;
  ms: number;
  /** The blocks that the test file's tests reach, if `withProbes` created the text. */
  reached: number[];
}

export interface Outcome {
  files: TestFileResult[];
  /** The title of the first failed test, or an error outside of tests. */
  failure: string | undefined;
}

export interface TesterOptions {
  /** The absolute path of the mutated file. */
  file: string;
  tier: 'unit' | 'int';
  /** The folder whose tests are run. */
  within: string;
  workers: number;
  /**
   * If true, runs the tests on the original, each test file in a separate process, so that the probes also report the
   * code that runs when the file is loaded.
   */
  isBaseline: boolean;
}

async function openTester({ file, tier, within, workers, isBaseline }: TesterOptions) {
  const projects = (configuration as { test: { projects: Array<string | { test: { name: string } }> } }).test.projects;
  const project = projects.find((one) => typeof one !== 'string' && one.test.name === tier) as { test: object };
  let text: string | undefined;
  let failed: ((test: TestCase) => void) | undefined;
  const vitest = await createVitest(
    'test',
    {
      ...project.test,
      config: false,
      root,
      watch: false,
      // The cache on disk would return the original instead of the mutant.
      fsModuleCache: false,
      dir: within,
      related: [file],
      isolate: isBaseline,
      maxWorkers: workers,
      // A mutant that allocates endlessly must not exhaust the machine's memory.
      execArgv: ['--max-old-space-size=1024'],
      bail: isBaseline ? 0 : 1,
      reporters: [
        {
          onTestCaseResult: (test: TestCase) => {
            if (test.result().state === 'failed') failed?.(test);
          },
        },
      ],
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
    const chosen = related.filter(({ moduleId }) => task.test === undefined || task.test === moduleId);
    if (chosen.length === 0) return report({ files: [], failure: undefined });
    let isReported = false;
    failed = (test) => {
      if (isBaseline || isReported) return;
      isReported = true;
      report({ files: [], failure: test.fullName });
    };
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
    if (isReported) return;
    const files = testModules.map(resultOf);
    const [error] = unhandledErrors as Error[];
    report({ files, failure: files.find(({ failure }) => failure)?.failure ?? (error && String(error.message)) });
  }
  return { run };
}

const resultOf = (module: TestModule): TestFileResult => ({
  test: module.moduleId,
  failure: failureOf(module),
  ms: module.diagnostic().duration,
  reached: (module.meta() as { reached?: number[] }).reached ?? [],
});

function failureOf(module: TestModule): string | undefined {
  const [test] = module.children.allTests('failed');
  if (test) return test.fullName;
  const [error] = module.errors();
  if (error) return `${module.relativeModuleId}: ${error.message}`;
  return module.ok() ? undefined : module.relativeModuleId;
}

// The parent process has ended, and no other process would end a worker in an endless loop.
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
