import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@beltway/kit/free-ports';
import type { Bench, Options } from '../support/bench.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { digits, median, ratioOf } from '../support/statistics.ts';
import { startSystem } from '../support/system.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { ACCEPT_ENCODING, sampleOf } from './samples.ts';
import { findWrk, runWrk } from './wrk.ts';

const EVENTS = 24;

/** Starts a peer in its own process and waits until it is ready. */
async function startPeer(role: string, env: Record<string, string>, { onEnd }: Pick<Options, 'onEnd'>) {
  const [port] = (await freePorts(1)) as [number];
  const child = fork(join(import.meta.dirname, 'peer.ts'), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ROLE: role, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onEnd(() => {
    child.kill('SIGKILL');
    return ended;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the peer ${role} ended (${code})`)));
  });
  return { port, pids: [child.pid!] };
}

interface Side {
  port: number;
  /** Processes whose CPU time counts. */
  pids: number[];
  headersOf: (etag: string) => Record<string, string>;
}

export const bench: Bench = {
  about: 'the list of events and an event, in turns, on 64 connections, beside bare node:http, proxies and nginx',
  defaults: { rounds: 5, seconds: 4 },

  async run(options) {
    const { rounds, seconds, say, onEnd } = options;
    const wrk = findWrk(say);
    const system = await startSystem(options);
    const organizer = await system.api.register('Ola Organizer', 'business');
    let eventId = 0;
    for (let n = 0; n < EVENTS; n++)
      eventId = (
        await system.api.launch(organizer.token, { hasTickets: false, ticketSalesEnabled: false, title: `Night ${n}` })
      ).id;
    const folder = mkdtempSync(join(tmpdir(), 'beltway-browse-'));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));

    const paths = ['/api/events', `/api/events/${eventId}`];
    const samples = await Promise.all(paths.map((path) => sampleOf(system.port, path)));
    const SAMPLES = join(folder, 'samples.json');
    writeFileSync(SAMPLES, JSON.stringify(samples));
    for (const { path, body, json } of samples)
      say(`${path}: ${json.length} bytes, ${Buffer.from(body, 'base64').length} as sent`);

    const bare = await startPeer('bare', { SAMPLES }, options);
    const events = await startPeer('events', { SAMPLES }, options);
    const TARGET = `http://127.0.0.1:${events.port}`;
    const proxy = await startPeer('proxy', { TARGET }, options);
    const usual = await startPeer('usual', { TARGET }, options);
    const gateway = system.processes().filter(({ service }) => service === 'gateway');
    const ours = { port: system.port, pids: gateway.map(({ pid }) => pid) };

    const whole = () => ({ 'Accept-Encoding': ACCEPT_ENCODING });
    const unchanged = (etag: string) => ({ ...whole(), 'If-None-Match': etag });
    const sides: Record<string, Side> = {
      ours: { ...ours, headersOf: whole },
      'ours 304': { ...ours, headersOf: unchanged },
      'bare node': { ...bare, headersOf: whole },
      'bare node 304': { ...bare, headersOf: unchanged },
      proxy: { port: proxy.port, pids: [...proxy.pids, ...events.pids], headersOf: whole },
      'usual gateway': { port: usual.port, pids: [...usual.pids, ...events.pids], headersOf: whole },
    };
    if (hasNginx()) {
      const [port] = (await freePorts(1)) as [number];
      sides['nginx cache'] = { port, pids: [startNginx(folder, port, bare.port, options)], headersOf: whole };
    } else say('nginx is not installed: that side is left out');

    const wrong: string[] = [];
    const rates: Record<string, number[]> = {};
    const cpu: Record<string, number[]> = {};
    for (let round = 1; round <= rounds; round++)
      for (const [name, { port, pids, headersOf }] of Object.entries(sides)) {
        const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
        const requests = samples.map(({ path, etag }) => ({ path, headers: headersOf(etag) }));
        // Warms up each side for one second, because idle code is slower.
        await runWrk(wrk, folder, port, requests, 1);
        const before = used();
        const figures = await runWrk(wrk, folder, port, requests, seconds);
        if (figures.failed > 0) wrong.push(`${name}: ${figures.failed} of ${figures.requests} failed`);
        (rates[name] ??= []).push(figures.perSecond);
        (cpu[name] ??= []).push((used() - before) / (figures.requests / 1_000));
        say(
          `round ${round}, ${name}: ${figures.perSecond.toFixed(0)} a second, p99 ${figures.p99}, ` +
            `${cpu[name].at(-1)!.toFixed(3)} s of processor time for a thousand`,
        );
      }

    for (const [name, { port }] of Object.entries(sides))
      for (const { path, json } of samples) {
        const { json: theirs } = await sampleOf(port, path);
        if (theirs !== json) wrong.push(`${name}: ${path} has another body`);
      }
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    const over = (name: string, own = 'ours') => (rates[name] ? ratioOf(rates[own]!, rates[name]) : undefined);
    const cheaper = (name: string, own = 'ours') => (cpu[name] ? ratioOf(cpu[name], cpu[own]!) : undefined);
    return {
      ratios: {
        'bare-node': over('bare node'),
        // Compares our 304 with the peer's 200, for a reader who already has the body.
        'bare-node-304': over('bare node', 'ours 304'),
        'express-proxy': over('proxy'),
        'usual-gateway': over('usual gateway'),
        'nginx-cache': over('nginx cache'),
      },
      // The same ratios by the servers' CPU time, which other work on the machine affects less.
      cpuRatios: {
        'bare-node': cheaper('bare node'),
        'bare-node-304': cheaper('bare node', 'ours 304'),
        'express-proxy': cheaper('proxy'),
        'usual-gateway': cheaper('usual gateway'),
        'nginx-cache': cheaper('nginx cache'),
      },
      perSecond: Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, digits(median(values))])),
      exact: wrong.length === 0,
    };
  },
};
