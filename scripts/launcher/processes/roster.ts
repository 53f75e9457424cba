import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A process of the running system, as `DATA_DIR/processes.json` lists it. */
export interface RunningProcess {
  /** `ticketing-2`; also the name of its log. */
  name: string;
  /** `ticketing` */
  service: string;
  pid: number;
  url: string;
  /** Where it answers with its metrics, if it has some. */
  metrics?: string | undefined;
}

export interface Roster {
  /** Writes the process down, or, without a process id, that it runs no more. */
  note(name: string, service: string, url: string, pid: number | undefined, metrics?: string): void;
  /** Takes the list away: nothing runs. */
  clear(): void;
}

/** Keeps the list of what runs in one file, always whole, rewritten whenever a process starts or ends. */
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
