import { join } from 'node:path';
import { follow, rotate } from '../processes/logs.ts';
import { startService, type Service } from './service.ts';

/** A service that shares a process with others. */
export interface HostedService {
  name: string;
  /** Absolute path of its `main.ts`. */
  entry: string;
  env: Record<string, string>;
  logFile: string;
}

interface OneProcessOptions {
  /** The services in the order of their start. The last service is the public door, which stops first. */
  services: HostedService[];
  /** Log for output that belongs to no service, such as uncaught errors. */
  logFile: string;
  /** The data folder, which is also in the environment of the process, as for every service. */
  dataDir: string;
  say: (text: string) => void;
  onProcess: (pid: number | undefined) => void;
}

/**
 * Limit of the one heap that all services share. In separate processes, each service has its own heap
 * (`node-flags.txt`).
 */
const HEAP = '--max-old-space-size=1536';

/**
 * Runs services in one process, with the same `main.ts` as in separate processes, each with its own environment and
 * log. For tests that start many systems: Node and the libraries are loaded once instead of eight times.
 */
export function startInOneProcess({ services, logFile, dataDir, say, onProcess }: OneProcessOptions): Service {
  const logs = services.map((one) => {
    rotate(one.logFile);
    return follow(one.logFile, (text) => say(`${one.name} ${text}`));
  });
  const all = startService({
    name: 'services',
    entry: join(import.meta.dirname, 'services-process.ts'),
    flags: [HEAP],
    env: { DATA_DIR: dataDir },
    message: services,
    logFile,
    say,
    onProcess,
  });
  return {
    ...all,
    stop: async (graceMs) => {
      await all.stop(graceMs);
      for (const log of logs) log.stop();
    },
  };
}
