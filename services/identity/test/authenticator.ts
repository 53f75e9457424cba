import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const b64 = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A CBOR encoder (RFC 8949) for authenticator data: short texts, bytes, small numbers, maps. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);
}

/** An authenticator with one key (ES256, attestation `none`), used by a browser on this origin. */
export function authenticator({ origin = 'http://localhost:3000', rpId = 'localhost', verified = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = '';
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  const cose = cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, bytes(jwk.x)], [-3, bytes(jwk.y)]])); // oxfmt-ignore
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const counted = (n: number) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n].map((byte) => byte & 255));
  const named = { id: b64(id), rawId: b64(id), type: 'public-key' as const, clientExtensionResults: {} };
  const present = verified ? 0x05 : 0x01;

  return {
    id: b64(id),
    /** The user handle that the authenticator stored. */
    handle: () => userHandle,
    /** Resets the counter to a lower value, as a clone of the key would have. */
    rewind: (to = 0) => void (counter = to),
    create(options: { challenge: string; user: { id: string } }) {
      userHandle = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = Buffer.concat([sha256(rpId), Buffer.from([present | 0x40]), counted(++counter), attested]);
      const attestation = new Map<string, unknown>([['fmt', 'none'], ['attStmt', new Map()], ['authData', data]]); // oxfmt-ignore
      const response = {
        clientDataJSON: b64(clientData('webauthn.create', options.challenge)),
        attestationObject: b64(cbor(attestation)),
        transports: ['internal'],
      };
      return { ...named, response };
    },
    get({ challenge }: { challenge: string }, handle = userHandle) {
      const data = Buffer.concat([sha256(rpId), Buffer.from([present]), counted(++counter)]);
      const client = clientData('webauthn.get', challenge);
      const signature = b64(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey));
      const response = { clientDataJSON: b64(client), authenticatorData: b64(data), signature, userHandle: handle };
      return { ...named, response };
    },
  };
}
