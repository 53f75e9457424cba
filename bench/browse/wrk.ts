import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface WrkFigures {
  perSecond: number;
  requests: number;
  /** Answered with another status than 2xx or 3xx, or not at all. */
  failed: number;
  p99: string;
}

export function assertWrk(): void {
  try {
    execFileSync('which', ['wrk']);
  } catch {
    throw new Error(
      'bench browse needs wrk (apt install wrk): a load generator in Node would be slower than what it loads',
    );
  }
}

/** Sends these requests in turn on 64 connections, for so many seconds. */
export async function wrk(
  folder: string,
  port: number,
  paths: Array<{ path: string; headers: Record<string, string> }>,
  seconds: number,
): Promise<WrkFigures> {
  const script = join(folder, 'load.lua');
  const lua = ({ path, headers }: (typeof paths)[number]) =>
    `wrk.format('GET', '${path}', {${Object.entries(headers)
      .map(([name, value]) => `['${name}'] = '${value}'`)
      .join(', ')}})`;
  writeFileSync(
    script,
    `local requests = {}\nlocal turn = 0\ninit = function()\n${paths.map((one, at) => `requests[${at + 1}] = ${lua(one)}`).join('\n')}\nend\nrequest = function()\nturn = turn % ${paths.length} + 1\nreturn requests[turn]\nend\n`,
  );
  const args = ['-t1', '-c64', `-d${seconds}s`, '--latency', '-s', script, `http://127.0.0.1:${port}`];
  const { stdout } = await promisify(execFile)('wrk', args);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    requests: number(/(\d+) requests in/),
    failed: number(/Non-2xx or 3xx responses: (\d+)/) + errors.reduce((sum, one) => sum + Number(one), 0),
    p99: /99%\s+(\S+)/.exec(stdout)?.[1] ?? '?',
  };
}
