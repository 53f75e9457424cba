import { join } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import configuration from '../../vitest.config.ts';
import { root } from '../launcher/settings.ts';

/**
 * A process of its own that runs the tests of one file, again and again with another text in its place: no source is changed. Ended
 * from outside when it takes too long, with all of its workers.
 */
export interface Task {
  /** What is loaded in the place of the file. */
  text: string;
  /** The test files to run, in this order; undefined: all that import the file. */
  tests?: string[] | undefined;
}

export interface TestFileResult {
  test: string;
  ok: boolean;
  ms: number;
  /** Blocks that its tests reach, where `withProbes` made the text. */
  reached: number[];
}

export interface Outcome {
  files: TestFileResult[];
  /** The title of the first test that failed, or what else went wrong. */
  failure: string | undefined;
}

export interface TesterOptions {
  /** Under mutation: an absolute path. */
  file: string;
  tier: 'unit' | 'int';
  /** A folder: tests elsewhere are not run. */
  within: string;
  workers: number;
  /** Each test file in a process of its own, so that what the first one loads is counted for all. */
  isolate: boolean;
}

/** Tests wait for what a mutant prevents: not for as long as on a machine that does much else. */
const PATIENCE = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 15_000 } } };

async function openTester({ file, tier, within, workers, isolate }: TesterOptions) {
  const projects = (configuration as { test: { projects: Array<string | { test: { name: string } }> } }).test.projects;
  const project = projects.find((one) => typeof one !== 'string' && one.test.name === tier) as { test: object };
  let text: string | undefined;
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
      // It remembers files by their path and what the disk has.
      fsModuleCache: false,
      dir: within,
      related: [file],
      isolate,
      maxWorkers: workers,
      // What a mutant makes without end must not take the machine's memory.
      execArgv: ['--max-old-space-size=1024'],
      bail: isolate ? 0 : 1,
      reporters: [{}],
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

  async function run(task: Task): Promise<Outcome> {
    text = task.text;
    vitest.invalidateFile(file);
    const chosen = task.tests
      ? task.tests.flatMap((test) => related.find(({ moduleId }) => moduleId === test) ?? [])
      : related;
    if (chosen.length === 0) return { files: [], failure: undefined };
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
    return { files: testModules.map(resultOf), failure: failureOf(testModules, unhandledErrors) };
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

// Whoever started it is gone, and with it everybody who could end a worker that loops.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
const tester = await openTester(JSON.parse(process.argv[2]!) as TesterOptions);
process.on('message', (task: Task) => {
  tester.run(task).then(
    (outcome) => process.send!(outcome),
    (error: Error) => process.send!({ files: [], failure: error.message } satisfies Outcome),
  );
});
process.send!('ready');
