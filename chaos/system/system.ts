import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBus } from '@beltway/kit/bus/open';
import type { Bus } from '@beltway/kit/bus';
import { startBeltway, type Beltway } from '../../e2e/support/beltway.ts';
import { givenEngines } from '../../e2e/support/engines.ts';
import { databaseUrl } from '../../scripts/launcher/engines/databases.ts';
import { runningOn } from '../../scripts/launcher/data-folder/lock.ts';
import { isAlive } from '../../scripts/launcher/processes/processes.ts';
import type { Secrets } from '../../scripts/launcher/secrets.ts';

/** A process of the system, from the launcher's DATA_DIR/processes.json. */
export interface Proc {
  name: string;
  service: string;
  pid: number;
  url?: string;
}

/** Beltway as `npm start` runs it, with the internals that a chaos run needs. */
export interface System {
  beltway: Beltway;
  publishableKey: string;
  internalToken: string;
  /** The running processes; a process that was just killed may still be listed. */
  processes(): Proc[];
  /** URL of a service's database, with the service's role. */
  database(name: string): string;
  openBus(): Promise<Bus>;
  /** Stops like Ctrl-C. `keep` kills immediately and keeps the data folder. */
  stop(keep: boolean): Promise<void>;
}

export interface SystemOptions {
  replicas: string;
  holdMs: number;
  /** Uses Kafka and Redis, like `npm run start:engines`. */
  engines?: boolean;
  env?: Record<string, string>;
}

export async function startSystem({ replicas, holdMs, engines = false, env }: SystemOptions): Promise<System> {
  const given = engines ? await givenEngines() : { env: {}, stop: async () => undefined };
  const beltway = await startBeltway({
    engines,
    env: {
      BELTWAY_REPLICAS: replicas,
      HOLD_MINUTES: String(holdMs / 60_000),
      // A payout cannot be reversed when a sale is canceled. On a Friday, when payouts are sent, the system would never
      // settle.
      PAYOUTS: 'off',
      // A few guest keys represent all guests here.
      MAX_OPEN_HOLDS: '1000000',
      MAX_HELD_TICKETS: '1000000',
      ...given.env,
      ...env,
    },
  });
  const { dataDir } = beltway;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
  const { postgresPort } = (await runningOn(dataDir))!;
  const database = (name: string) => databaseUrl(name, postgresPort!, secrets);
  const processes = () => {
    const file = join(dataDir, 'processes.json');
    if (!existsSync(file)) return [];
    return (JSON.parse(readFileSync(file, 'utf8')) as Proc[]).filter(({ pid }) => isAlive(pid));
  };
  const brokers = () => processes().find(({ service }) => service === 'kafka')?.url;
  return {
    beltway,
    publishableKey: secrets.STRIPE_PUBLISHABLE_KEY,
    internalToken: secrets.INTERNAL_TOKEN,
    processes,
    database,
    openBus: () =>
      openBus(engines ? { KAFKA_BROKERS: brokers(), ...given.env } : { BUS_DATABASE_URL: database('bus') }),
    stop: async (keep) => {
      await (keep ? beltway.kill() : beltway.stop());
      await given.stop();
    },
  };
}
