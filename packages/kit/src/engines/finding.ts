import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

/** The result of an attempt to reach an engine. */
export type Finding =
  | { state: 'answers' }
  /** The engine may be starting, so waiting may help. */
  | { state: 'away'; why: string }
  /**
   * Usually a wrong setting. Sometimes the engine is only starting: its name does not resolve yet, or a load balancer
   * has no backend.
   */
  | { state: 'doubtful'; variable: string; why: string }
  /** The engine rejects the connection, so waiting does not help. */
  | { state: 'refused'; variable: string; why: string };

/** The environment variables of an engine: URL, TLS, and certificate authority. */
export interface EngineVariables {
  url: string;
  tls: string;
  ca: string;
}

interface Reached {
  host: string;
  port: number;
  /** Whether the connection uses TLS. */
  isTls: boolean;
}

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);
/** Matches other error codes for an untrusted certificate. */
const BAD_CERTIFICATE = /^CERT_|^ERR_TLS_CERT/;
/** The server does not use TLS, or client and server have no TLS version or cipher in common. */
const NO_TLS = /^EPROTO$|^ERR_SSL_/;
/** Error codes which mean that no connection was established. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** Diagnoses the network part of a failed attempt: certificates, names, and TLS on only one side. */
export async function networkFinding(
  error: unknown,
  { url, tls, ca }: EngineVariables,
  { host, port, isTls }: Reached,
): Promise<Finding> {
  const errors = chainOf(error);
  const codes = errors.map((one) => ('code' in one ? String(one.code) : ''));
  const why = errors.at(-1)?.message ?? String(error);
  const at = `${host}:${port}`;

  if (codes.some((code) => UNKNOWN_AUTHORITY.has(code)))
    return { state: 'refused', variable: ca, why: `the certificate of ${at} comes from another authority (${why})` };
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return { state: 'refused', variable: url, why: `the certificate of ${at} is for another name (${why})` };
  if (codes.some((code) => BAD_CERTIFICATE.test(code)))
    return { state: 'refused', variable: url, why: `the certificate of ${at} cannot be trusted (${why})` };
  if (codes.some((code) => NO_TLS.test(code)))
    return { state: 'refused', variable: tls, why: `${at} answers with something else than TLS (${why})` };
  if (codes.includes('ENOTFOUND'))
    return { state: 'doubtful', variable: url, why: `there is no address for the name ${host}` };
  const isReached = !codes.some((code) => NOT_REACHED.has(code));
  if (isReached && !isTls && (await connects(tlsConnect({ host, port, rejectUnauthorized: false }), 'secureConnect')))
    return { state: 'refused', variable: tls, why: `${at} speaks TLS, and is spoken to without` };
  // The server accepts the connection, but closes it or does not respond to TLS.
  if (isReached && isTls && (await connects(connect({ host, port }), 'connect')))
    return { state: 'doubtful', variable: tls, why: `${at} does not answer in TLS (${why})` };
  return { state: 'away', why };
}

/** The error and its causes. For an AggregateError, follows its first error. */
export function chainOf(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let one = error; one instanceof Error && errors.length < 10;) {
    errors.push(one);
    const { originalError } = one as { originalError?: unknown };
    one = one instanceof AggregateError ? one.errors[0] : (one.cause ?? originalError);
  }
  return errors;
}

const PROBE_MS = 2_000;

/** Resolves with true if the socket emits this event. Sends no data and closes the socket. */
function connects(socket: Socket, event: 'connect' | 'secureConnect'): Promise<boolean> {
  return new Promise((resolve) => {
    const say = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => say(false));
    socket.once(event, () => say(true));
    socket.on('error', () => say(false));
    socket.once('close', () => say(false));
  });
}

/** Time limit of an attempt, in ms. */
export const ATTEMPT_MS = 5_000;

export class Silent extends Error {
  constructor() {
    super(`no answer within ${ATTEMPT_MS} ms`);
  }
}

/** Resolves with the result of `work`, or rejects with `Silent` after `ATTEMPT_MS`; then `giveUp` ends the attempt. */
export async function attempted<T>(work: Promise<T>, giveUp: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent()), ATTEMPT_MS);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
    await giveUp();
  }
}
