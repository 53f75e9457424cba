import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The commit that is checked out here; nothing where there is no Git or no repository. */
function commit(): string | undefined {
  try {
    const git = ['rev-parse', '--short=12', 'HEAD'];
    return execFileSync('git', git, { cwd: root, encoding: 'utf8', timeout: 2_000, stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

const found = process.env['BUILD_COMMIT'] || commit();

/** What every service is told of the build it runs. */
export const build: Record<string, string> = {
  BUILD_VERSION: process.env['BUILD_VERSION'] || version,
  ...(found !== undefined && { BUILD_COMMIT: found }),
};
