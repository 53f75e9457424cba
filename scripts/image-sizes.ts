import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addedSize } from './deploy/added-size.ts';
import { script } from './launcher/embedded.ts';
import { StartError } from './launcher/start-error.ts';

/** The goal, in bytes (docs/operations/compose.md). Media's has nginx and ffmpeg beside (docs/decisions/0076). */
const MOST = 80e6;
const MOST_OF: Record<string, number> = { media: 420e6 };
/** Of an image that is over it, how many of its largest folders are named. */
const NAMED = 8;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function docker(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('docker', args)).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new StartError(`docker ${args[0]}: ${stderr?.trim() || message}`);
  }
}

/** The largest folders of an image's /app, as du in a container of it says. */
async function largest(image: string): Promise<string> {
  const du = ['--entrypoint', 'du', image, '--block-size=1', '--max-depth=2', '/app/node_modules'];
  const lines = (await docker('run', '--rm', '--network', 'none', ...du)).trim().split('\n');
  return lines
    .map((line) => line.split('\t') as [string, string])
    .filter(([, folder]) => folder !== '/app/node_modules')
    .sort(([a], [b]) => Number(b) - Number(a))
    .slice(0, NAMED)
    .map(([bytes, folder]) => `             ${megabytes(Number(bytes))} ${folder}`)
    .join('\n');
}

/**
 * `npm run image-sizes` says what the image of each service adds to its base image, of those that `docker compose build` has made. Exit
 * code 1 when one adds more than its most; then its largest packages are named.
 */
await script(async () => {
  for (const service of readdirSync(join(import.meta.dirname, '..', 'services')).sort()) {
    const image = `beltway/${service}`;
    const added = addedSize(await docker('history', '--no-trunc', '--human=false', '--format', '{{json .}}', image));
    const most = MOST_OF[service] ?? MOST;
    console.log(`${added > most ? 'TOO LARGE' : 'ok       '}  ${service}: ${megabytes(added)} of ${megabytes(most)}`);
    if (added <= most) continue;
    process.exitCode = 1;
    console.log(await largest(image));
  }
});
