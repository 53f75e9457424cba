import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '@beltway/kit/free-ports';
import { accepts } from '@beltway/kit/port';
import { CACHE, kafkaJars, PARTS, VERSION } from './jars.ts';
import { brokerSettings, type TestBroker } from './settings.ts';

const READY_MS = 90_000;
const FLAGS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
const HEAP = '384m';

/**
 * A shell script that removes the broker and its data. It waits for the end of a pipe, which comes when the process
 * that holds the pipe ends for any reason.
 */
const WATCH = 'read -r _; kill -9 "$1" 2>/dev/null; sleep 0.2; rm -rf "$2"';

interface JavaBrokerOptions {
  /** Changes the default settings of a test broker. */
  change?: (settings: Record<string, string>) => Record<string, string>;
  /** An account for SCRAM authentication. */
  user?: ScramUser;
}

interface ScramUser {
  username: string;
  password: string;
}

/** Starts a broker from Kafka's jars as a child of this process. Resolves when it is ready. */
export async function startJavaBroker({ change = (same) => same, user }: JavaBrokerOptions = {}): Promise<TestBroker> {
  const { emptyLog, args } = await kafkaProgram(user);
  const folder = mkdtempSync(join(tmpdir(), 'beltway-kafka-'));
  const [port, controller] = (await freePorts(2)) as [number, number];
  const settings = join(folder, 'server.properties');
  const logFile = join(folder, 'broker.log');
  writeSettings(settings, change(brokerSettings({ port, controller, data: join(folder, 'data') })));
  cpSync(emptyLog, join(folder, 'data'), { recursive: true });
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const log = openSync(logFile, 'a');
    const broker = spawn('java', args(settings), { stdio: ['ignore', log, log], detached: true });
    child = broker;
    const watch = spawn('sh', ['-c', WATCH, 'watch', String(broker.pid), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watch.unref();
    broker.once('exit', () => watch.kill('SIGKILL'));
    // This version of Kafka opens the listener last, so a broker that accepts connections is ready.
    for (const end = performance.now() + READY_MS; !(await accepts(port)); await pause(50)) {
      if (broker.exitCode === null && broker.signalCode === null && performance.now() < end) continue;
      throw new Error(`the broker did not start:\n${readFileSync(logFile, 'utf8').slice(-3_000)}`);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await gone;
  }

  try {
    await start();
  } catch (error) {
    await end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    what: `Apache Kafka ${VERSION} from Maven Central`,
    brokers: `127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    start,
    freeze: async () => void child?.kill('SIGSTOP'),
    thaw: async () => void child?.kill('SIGCONT'),
    async stop() {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Prepares the start of a broker: the arguments of `java` for given settings, and an empty log to copy for each new
 * broker.
 */
export async function kafkaProgram(
  user?: ScramUser,
): Promise<{ emptyLog: string; args: (settings: string) => string[] }> {
  const jars = await kafkaJars();
  const base = [...FLAGS, `-Dlog4j2.configurationFile=${join(PARTS, 'log4j2.properties')}`, '-cp', join(jars, '*')];
  return {
    emptyLog: await formatted(base, user),
    args: (settings) => [`-Xms${HEAP}`, `-Xmx${HEAP}`, ...base, 'kafka.Kafka', settings],
  };
}

/**
 * An empty log that Kafka's own tool has formatted. It is cached, because the tool takes as long as a broker to start.
 */
async function formatted(base: string[], user?: ScramUser): Promise<string> {
  const kept = join(CACHE, `formatted-${VERSION}${user ? `-${user.username}-${user.password}` : ''}`);
  if (existsSync(kept)) return kept;
  const folder = mkdtempSync(join(CACHE, 'draft-format-'));
  const settings = join(folder, 'server.properties');
  writeSettings(settings, brokerSettings({ port: 1, controller: 2, data: join(folder, 'data') }));
  const args = [...base, 'kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', settings];
  for (const mechanism of user ? ['SCRAM-SHA-256', 'SCRAM-SHA-512'] : [])
    args.push('--add-scram', `${mechanism}=[name=${user!.username},password=${user!.password}]`);
  await promisify(execFile)('java', args, { timeout: READY_MS });
  if (!existsSync(kept)) renameSync(join(folder, 'data'), kept);
  rmSync(folder, { recursive: true, force: true });
  return kept;
}

export const writeSettings = (file: string, settings: Record<string, string>): void =>
  writeFileSync(file, Object.entries(settings).map(([name, value]) => `${name}=${value}\n`).join('')); // oxfmt-ignore
