import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs stories with their own system first. Stories that share a system run one after the other, so that no shared
 * system is idle.
 */
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
