import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

/** What an attempt to reach an engine came to. */
export type Finding =
  | { state: 'answers' }
  /** It may be starting: waiting helps. */
  | { state: 'away'; why: string }
  /** A wrong setting mostly, and sometimes an engine that starts: its name is not known yet, a balancer has none behind it. */
  | { state: 'doubtful'; variable: string; why: string }
  /** It has understood and says no: waiting does not help. */
  | { state: 'refused'; variable: string; why: string };

/** The variables of an engine: where it is, whether by TLS, and whom certificates must come from. */
export interface EngineVariables {
  url: string;
  tls: string;
  ca: string;
}

interface Reached {
  host: string;
  port: number;
  /** Whether it is spoken to by TLS. */
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
/** Others of a certificate that is not to be trusted. */
const BAD_CERTIFICATE = /^CERT_|^ERR_TLS_CERT/;
/** What is spoken there is no TLS, or one without a version and cipher in common. */
const NO_TLS = /^EPROTO$|^ERR_SSL_/;
/** No connection came to be. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** What a failed attempt says of the network between: certificates, names, TLS where there is none and the other way round. */
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
  // Closed, or silent.
  if (isReached && isTls && (await connects(connect({ host, port }), 'connect')))
    return { state: 'doubtful', variable: tls, why: `${at} does not answer in TLS (${why})` };
  return { state: 'away', why };
}

/** The error, its causes, and of several errors the first. */
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

/** Whether the socket comes so far. Nothing is sent, and it is closed. */
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

/** How long an attempt may take, in ms. */
export const ATTEMPT_MS = 5_000;

export class Silent extends Error {
  constructor() {
    super(`no answer within ${ATTEMPT_MS} ms`);
  }
}

/** What `work` gives, or `Silent` after `ATTEMPT_MS`; `giveUp` then ends what it began. */
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
