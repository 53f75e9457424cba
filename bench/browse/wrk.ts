import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath, unpackDebian, unpackedEnv } from '../support/debian.ts';

export interface WrkFigures {
  perSecond: number;
  requests: number;
  /** Requests with a status other than 2xx or 3xx, or without a response. */
  failed: number;
  p99: string;
}

export interface Wrk {
  program: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Finds the load generator: on the `PATH`, else a download from Debian into `.cache`. A load generator in Node would be
 * slower than the servers that it measures.
 */
export function findWrk(say: (line: string) => void): Wrk {
  const program = onPath('wrk');
  if (program) return { program, env: process.env };
  const folder = unpackDebian('wrk', () => ['wrk', 'libluajit-5.1-2', 'libluajit2-5.1-2'], say);
  const unpacked = join(folder, 'usr', 'bin', 'wrk');
  if (!existsSync(unpacked)) throw new Error('bench browse needs wrk (apt install wrk)');
  return { program: unpacked, env: unpackedEnv(folder) };
}

/** Sends these requests in turn on 64 connections, for this many seconds. */
export async function runWrk(
  { program, env }: Wrk,
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
  const { stdout } = await promisify(execFile)(program, args, { env });
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    requests: number(/(\d+) requests in/),
    failed: number(/Non-2xx or 3xx responses: (\d+)/) + errors.reduce((sum, one) => sum + Number(one), 0),
    p99: /99%\s+(\S+)/.exec(stdout)?.[1] ?? '?',
  };
}
