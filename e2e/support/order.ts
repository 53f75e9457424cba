import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Stories with their own system run first; those that share one run in sequence, so that none is idle. */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map((file) => [file, file.project.name === 'e2e' ? rankOf(file.moduleId) : 0]));
    return (await super.sort(files)).toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
}

function rankOf(path: string): number {
  const shared = /\bsharedStage\((\{)?/.exec(readFileSync(path, 'utf8'));
  return !shared ? 0 : shared[1] ? 1 : 2;
}
