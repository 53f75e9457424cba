import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = new URL('../../../../', import.meta.url).pathname;
/** The folder with a Maven project file, log settings, and the list of Kafka's jars with their digests. */
export const PARTS = join(ROOT, 'scripts', 'testing', 'kafka');
export const CACHE = join(ROOT, '.cache', 'kafka');
export const VERSION = '4.3.1';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const CENTRAL = 'https://repo.maven.apache.org/maven2/';

/**
 * Returns the folder with Kafka's jars. Downloads them once from Maven Central, with Maven if it is installed,
 * otherwise file by file.
 */
export async function kafkaJars(): Promise<string> {
  await run('java', ['-version']).catch(() => {
    throw new Error('there is no java');
  });
  const folder = join(CACHE, VERSION);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // The folder is renamed when it is complete. Concurrent processes each write their own draft.
  const draft = join(CACHE, `draft-${process.pid}`);
  try {
    await byMaven(draft).catch((error: unknown) => {
      const text = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no mvn' : error;
      console.warn(`kafka: Maven did not bring the jars (${String(text).slice(0, 200)}), downloading them one by one`);
      return byHttps(draft);
    });
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

async function byMaven(folder: string): Promise<void> {
  const pom = join(PARTS, 'pom.xml');
  const args = ['-B', '-q', '-f', pom, COPY, '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  await run('mvn', args, { timeout: 300_000 });
}

async function byHttps(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lines = readFileSync(join(PARTS, 'jars.sha256'), 'utf8').trim().split('\n');
  const downloadNext = async () => {
    for (let line = lines.pop(); line; line = lines.pop()) {
      const [digest, path] = line.split(/\s+/) as [string, string];
      const answer = await fetch(CENTRAL + path, { signal: AbortSignal.timeout(120_000) });
      if (!answer.ok) throw new Error(`${CENTRAL}${path} answers ${answer.status}`);
      const jar = Buffer.from(await answer.arrayBuffer());
      if (createHash('sha256').update(jar).digest('hex') !== digest)
        throw new Error(`${path} is not what it should be`);
      writeFileSync(join(folder, path.slice(path.lastIndexOf('/') + 1)), jar);
    }
  };
  await Promise.all(Array.from({ length: 4 }, downloadNext));
}
