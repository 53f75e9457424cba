import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A process of the running system, in the format of `DATA_DIR/processes.json`. */
export interface RunningProcess {
  /** The instance's name, such as `ticketing-2`, which is also the name of the log file. */
  name: string;
  /** The service's name, such as `ticketing`. */
  service: string;
  pid: number;
  url: string;
  /** URL of the process's metrics, if it has any. */
  metrics?: string | undefined;
}

export interface Roster {
  /** Records the process, or, without a process id, that it has ended. */
  note(name: string, service: string, url: string, pid: number | undefined, metrics?: string): void;
  /** Deletes the list, because no process runs any longer. */
  clear(): void;
}

/** Keeps the list of processes in one file, which is replaced atomically whenever a process starts or ends. */
export function roster(file: string): Roster {
  const running = new Map<string, RunningProcess>();
  let open = true;
  const write = () => {
    if (!open) return;
    writeFileSync(`${file}.new`, `${JSON.stringify([...running.values()], null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    note: (name, service, url, pid, metrics) => {
      if (pid === undefined) running.delete(name);
      else running.set(name, { name, service, pid, url, metrics });
      write();
    },
    clear: () => {
      open = false;
      rmSync(file, { force: true });
    },
  };
}
