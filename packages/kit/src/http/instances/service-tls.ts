import { readFileSync } from 'node:fs';
import { Agent, request, type Server } from 'node:https';
import { Readable } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { wrongVariables } from '../../config.ts';
import { readCaFile } from '../../engines/ca-file.ts';

/** Environment variables for TLS between services (docs/operations/tls.md). */
export interface ServiceTlsConfig {
  SERVICE_CERT_FILE?: string | undefined;
  SERVICE_KEY_FILE?: string | undefined;
  SERVICE_CA_FILE?: string | undefined;
}

export interface Certificate {
  cert: string;
  key: string;
}

/** Reads the certificate of this service. Reads the files at each call, because certificates are renewed in place. */
export type ReadCertificate = () => Certificate;

/** How often certificates are read again: much more often than the time between renewal and expiry. */
const RENEW_MS = 3_600_000;

/**
 * The certificate with which this service authenticates; undefined without TLS. Throws `ConfigError` if the files
 * cannot be read or do not belong together.
 */
export function readServiceCertificate(config: ServiceTlsConfig): ReadCertificate | undefined {
  const { SERVICE_CERT_FILE: certFile, SERVICE_KEY_FILE: keyFile } = config;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const read = () => ({ cert: readCaFile('SERVICE_CERT_FILE', certFile)!, key: readFileSync(keyFile, 'utf8') });
  try {
    createSecureContext(read());
  } catch (error) {
    if ((error as Error).name === 'ConfigError') throw error;
    const { code = 'no key' } = error as { code?: string };
    throw wrongVariables([`SERVICE_KEY_FILE: cannot be used with SERVICE_CERT_FILE (${code})`]);
  }
  return read;
}

/** Updates a server's certificate after renewals. A certificate that cannot be read yet is tried again later. */
export function renewCertificate(server: Server, read: ReadCertificate, onError: (error: unknown) => void): void {
  const timer = setInterval(() => {
    try {
      server.setSecureContext(read());
    } catch (error) {
      onError(error);
    }
  }, RENEW_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * The only authority for certificates of Beltway's services. If undefined, services need no certificate of this
 * authority.
 */
let authority: string | undefined;
let agents = new Map<string, Agent>();

/** Must be called before the first call to another service. Throws `ConfigError` if the file cannot be read. */
export function trustServices({ SERVICE_CA_FILE: file }: Pick<ServiceTlsConfig, 'SERVICE_CA_FILE'>): void {
  authority = readCaFile('SERVICE_CA_FILE', file);
  agents = new Map();
}

/**
 * True if https URLs refer to Beltway's own services. These services' certificates contain the service's name instead
 * of its host name.
 */
export const isOwnTls = (): boolean => authority !== undefined;

/**
 * How to verify the certificate of a service's instance: the certificate must be signed by our authority and contain
 * the service's name. The certificate cannot contain IP addresses, because DNS assigns them. undefined if the URL is
 * not https or no authority is configured.
 */
export function tlsTo(service: string, url: string | URL): { ca: string; servername: string } | undefined {
  if (authority === undefined || !String(url).startsWith('https:')) return undefined;
  return { ca: authority, servername: service };
}

/** Shorter than the 65 s after which a service closes an idle connection (`serve.ts`). */
const IDLE_MS = 30_000;

/** The agent for connections to the instances of a service, verified by `tlsTo`. */
export function agentTo(service: string, url: string | URL): Agent | undefined {
  const tls = tlsTo(service, url);
  if (!tls) return undefined;
  let agent = agents.get(service);
  if (!agent) agents.set(service, (agent = new Agent({ ...tls, keepAlive: true, timeout: IDLE_MS })));
  return agent;
}

/**
 * `fetch` to an instance of a service. Own TLS requires the service's name, which the built-in `fetch` does not accept.
 * This version does not follow redirects and does not request compression.
 */
export function fetchService(service: string, url: URL, init: RequestInit = {}): Promise<Response> {
  const agent = agentTo(service, url);
  if (!agent) return fetch(url, init);
  const { method = 'GET', body = null, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const fail = (error: Error) => reject(signal?.aborted ? (signal.reason as Error) : error);
    const sent = request(url, { agent, method, headers, ...(signal && { signal }) }, (answer) => {
      const status = answer.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304 || method === 'HEAD';
      if (isEmpty) answer.resume();
      const all = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream);
      resolve(new Response(stream, { status, headers: all }));
    });
    sent.on('error', fail);
    sent.end(body as string | null);
  });
}
