/** The functions and settings of a process that a service requires. */
export interface Runtime {
  /** The service's environment variables. Default: the environment variables of the process. */
  env?: NodeJS.ProcessEnv;
  /** The file descriptor of the log. */
  logFd: number;
  /** True if the process runs only this service. Memory and process metrics describe the service only in this case. */
  isOwn: boolean;
  /** True if the launcher that started the service has exited. */
  isLauncherGone(): boolean;
  /** Registers a function to call, with the reason, when the service must stop. `stop` may be called more than once. */
  onStop(stop: (why: string) => void): void;
  exit(code: number): void;
}

export const LAUNCHER_GONE = 'the launcher is gone';

/**
 * The runtime of the service that uses this module. By default it is the service's own process. A process with several
 * services loads this package once per service, and sets another runtime in each copy before it loads the service
 * (`scripts/launcher/services/one-process.ts`).
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
