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
  /** In the order in which they start; the last one is the public door, which stops first. */
  services: HostedService[];
  /** For what belongs to no service, such as uncaught errors. */
  logFile: string;
  /** Also in the environment of the process, as in that of every service. */
  dataDir: string;
  say: (text: string) => void;
  onProcess: (pid: number | undefined) => void;
}

/** All services share the heap that each has for itself otherwise (`node-flags.txt`). */
const HEAP = '--max-old-space-size=1536';

/**
 * Runs services in one process, by the same `main.ts` as in processes of their own, each with its environment and its log.
 * For tests that start many systems: Node and the libraries are loaded once, not eight times.
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
