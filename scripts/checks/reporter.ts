import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileReport, ReportedError, RunReport } from './report.ts';

/** Environment variable with the report's path. */
export const REPORT_FILE = 'BELTWAY_TEST_REPORT';
const MAX_CAUSES = 5;

/**
 * A vitest reporter that writes a RunReport. vitest's own JSON omits errors outside of tests and the causes of errors,
 * which are needed to distinguish a timeout from a failed assertion.
 */
export default class ReportWriter implements Reporter {
  readonly #loads = new Map<string, number>();

  onTestModuleEnd(module: TestModule): void {
    this.#loads.set(module.id, loadavg()[0]!);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const files = modules.map((module) => this.#fileReport(module));
    const rest = unhandled.filter((error) => !attributed(error, files));
    const file = process.env[REPORT_FILE]!;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ files, unhandled: rest.map(reported) } satisfies RunReport));
  }

  #fileReport(module: TestModule): FileReport {
    const suites = [...module.children.allSuites()];
    const tests = [...module.children.allTests()].map((test) => {
      const { state, errors } = test.result();
      return { title: test.fullName, state, errors: (errors ?? []).map(reported) };
    });
    const state = module.state();
    const isUnfinished = (state !== 'passed' && state !== 'failed' && state !== 'skipped') || tests.some(isPending);
    return {
      file: module.moduleId,
      project: module.project.name,
      state: isUnfinished ? 'unfinished' : state === 'failed' ? 'failed' : 'passed',
      errors: [...module.errors(), ...suites.flatMap((suite) => suite.errors())].map(reported),
      tests,
      load: this.#loads.get(module.id) ?? loadavg()[0]!,
    };
  }
}

const isPending = ({ state }: { state: string }): boolean => state === 'pending';

function reported(error: SerializedError): ReportedError {
  const messages = [error.message];
  for (let cause = error.cause; cause && messages.length <= MAX_CAUSES; cause = (cause as SerializedError).cause)
    messages.push(causeText(cause));
  return { name: error.name ?? 'Error', message: messages.join('\ncaused by: '), stack: error.stack ?? '' };
}

const causeText = (cause: unknown): string => {
  const { code, message } = cause as { code?: string; message?: string };
  return [code, message ?? String(cause)].filter(Boolean).join(' ');
};

/** Adds the error to the file in which it happened; returns false if there is no such file. */
function attributed(error: SerializedError, files: FileReport[]): boolean {
  const text = [error.message, causeText(error.cause ?? '')].join(' ');
  const path = (error['VITEST_TEST_PATH'] as string | undefined) ?? /while running test file (\S+)/.exec(text)?.[1];
  const file = files.find((one) => one.file === path);
  if (!file) return false;
  file.errors.push(reported(error));
  if (file.state === 'passed') file.state = 'failed';
  return true;
}
