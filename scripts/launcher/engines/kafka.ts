import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaProgram, writeSettings } from '@beltway/test-engines/kafka-java';
import { brokerSettings } from '@beltway/test-engines/kafka-settings';
import { startEngine, unless, type Engine, type Place } from './engine.ts';
import { freePorts } from '@beltway/kit/free-ports';
import { StartError } from '../start-error.ts';

/** Starts Apache Kafka as a single broker with its log in `folder`. `url` is a value for `KAFKA_BROKERS`. */
export async function startKafka({
  folder,
  logFile,
  say,
  signal,
  onProcess,
}: Place): Promise<Engine & { url: string }> {
  const { emptyLog, args } = await unless(signal, kafkaProgram()).catch((error: Error) => {
    throw new StartError(
      `There is no Kafka to start (${error.message}). Install Java 17 or newer and be online once, or set KAFKA_BROKERS=host:port.`,
    );
  });
  const log = join(folder, 'log');
  if (!existsSync(log)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(`${log}.new`, { recursive: true, force: true });
    cpSync(emptyLog, `${log}.new`, { recursive: true });
    renameSync(`${log}.new`, log);
  }
  const [port, controller] = (await freePorts(2)) as [number, number];
  const settings = join(folder, 'server.properties');
  writeSettings(settings, brokerSettings({ port, controller, data: log }));
  const url = `127.0.0.1:${port}`;
  const engine = await startEngine({
    name: 'Kafka',
    command: 'java',
    args: args(settings),
    folder,
    logFile,
    port,
    say,
    signal,
    onProcess: (pid) => onProcess(pid, url),
  });
  return { ...engine, url };
}
