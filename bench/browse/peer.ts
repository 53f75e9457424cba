import { readFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import compression from 'compression';
import cors from 'cors';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Sample } from './samples.ts';

/**
 * The peers of `bench browse`, one per process. `bare`: node:http that sends the exact bytes of our gateway. `events`:
 * an Express service with the events in memory. `proxy`: Express and http-proxy-middleware in front of `events`.
 * `usual`: `proxy` with the usual middleware of gateways.
 */
const { ROLE, PORT, SAMPLES = '', TARGET } = process.env;
const samples = (): Sample[] => JSON.parse(readFileSync(SAMPLES, 'utf8')) as Sample[];

function bare() {
  const answers = new Map(
    samples().map(({ path, headers, etag, body }) => [path, { headers, etag, body: Buffer.from(body, 'base64') }]),
  );
  return createServer((req, res) => {
    const answer = answers.get(req.url!);
    if (!answer) return void res.writeHead(404).end();
    if (req.headers['if-none-match'] === answer.etag) return void res.writeHead(304, ['etag', answer.etag]).end();
    res.writeHead(200, answer.headers).end(answer.body);
  });
}

function events() {
  const app = express().disable('x-powered-by');
  for (const { path, json } of samples()) {
    const value: unknown = JSON.parse(json);
    app.get(path, (_req, res) => void res.set('cache-control', 'public, max-age=1').json(value));
  }
  return createServer(app);
}

function proxy(isUsual: boolean) {
  const app = express().disable('x-powered-by');
  if (isUsual) app.use(helmet(), cors(), compression(), rateLimit({ windowMs: 60_000, limit: 1_000_000_000 }));
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  app.use(createProxyMiddleware({ target: TARGET!, agent }));
  return createServer(app);
}

const server = ROLE === 'bare' ? bare() : ROLE === 'events' ? events() : proxy(ROLE === 'usual');
server.keepAliveTimeout = 600_000;
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
process.once('disconnect', () => process.exit(0));
