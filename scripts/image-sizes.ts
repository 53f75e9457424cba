import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addedSize } from './deploy/added-size.ts';
import { script } from './launcher/script.ts';
import { StartError } from './launcher/start-error.ts';

/**
 * The maximum size in bytes (docs/operations/compose.md). Media's image also has nginx and ffmpeg
 * (docs/decisions/0076).
 */
const MOST = 80e6;
const MOST_OF: Record<string, number> = { media: 420e6 };
/** Number of largest folders that are printed for an image above its maximum. */
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

/** The largest folders in an image's /app, measured by du in a container. */
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
 * `npm run image-sizes` prints how much each service's image adds to its base image, for images built by `docker
 * compose build`. If an image exceeds its maximum, prints the image's largest packages and exits with code 1.
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
