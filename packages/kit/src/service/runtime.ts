/** What a service needs from the process that it runs in. */
export interface Runtime {
  /** The variables of the service. Default: those of the process. */
  env?: NodeJS.ProcessEnv;
  /** The file descriptor that log lines are written to. */
  logFd: number;
  /** Whether the process runs this service alone. Only then are memory and figures of the process those of the service. */
  isOwn: boolean;
  /** Whether the launcher that started the service has ended. */
  isLauncherGone(): boolean;
  /** Registers a function that is called with the reason when the service must stop, possibly more than once. */
  onStop(stop: (why: string) => void): void;
  exit(code: number): void;
}

export const LAUNCHER_GONE = 'the launcher is gone';

/**
 * The runtime of the service that this module belongs to: a process of its own. A process with several services loads this
 * package once per service, and gives each copy another runtime before it loads the service (`scripts/launcher/services/one-process.ts`).
 */
export let runtime: Runtime = {
  logFd: 1,
  isOwn: true,
  isLauncherGone: () => process.connected === false,
  onStop: (stop) => {
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
    process.on('disconnect', () => stop(LAUNCHER_GONE));
  },
  exit: (code) => process.exit(code),
};

export const setRuntime = (other: Runtime): void => void (runtime = other);
