import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** The peer's gateway: only Express and http-proxy-middleware with a keep-alive agent. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const app = express();
app.disable('x-powered-by');
app.use(createProxyMiddleware({ target: process.env['TICKETS_URL']!, agent, changeOrigin: false }));
const server = app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
server.keepAliveTimeout = 600_000;
process.once('disconnect', () => process.exit(0));
