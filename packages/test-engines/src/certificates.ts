import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TestCertificates {
  /**
   * Paths of PEM files. `ca` signed `cert`, which is for `localhost` and 127.0.0.1; `otherCa` signed no certificate.
   */
  ca: string;
  otherCa: string;
  key: string;
  cert: string;
  /** Key and certificate in one file. */
  keyAndCert: string;
  /** For another host name; signed by the same authority. */
  strangerKey: string;
  strangerCert: string;
  /** Creates a certificate for only this name, signed by the same authority. */
  of(name: string): Promise<{ key: string; cert: string }>;
  read(file: string): string;
  remove(): void;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates certificates of a new test authority with openssl. They are valid for a day. */
export async function testCertificates(): Promise<TestCertificates> {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-certificates-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });

  const authority = (name: string) =>
    openssl('req', '-x509', ...CURVE, '-days', '1', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`); // oxfmt-ignore
  const signed = async (name: string, names: string) => {
    await openssl('req', ...CURVE, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\n`);
    await openssl('x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', `${name}.ext`, '-out', `${name}.pem`); // oxfmt-ignore
  };
  await Promise.all([authority('ca'), authority('other-ca')]);
  await signed('server', 'DNS:localhost,IP:127.0.0.1');
  await signed('stranger', 'DNS:stranger.test');
  const read = (path: string) => readFileSync(path, 'utf8');
  writeFileSync(file('both.pem'), read(file('server.key')) + read(file('server.pem')));
  return {
    ca: file('ca.pem'),
    otherCa: file('other-ca.pem'),
    key: file('server.key'),
    cert: file('server.pem'),
    keyAndCert: file('both.pem'),
    strangerKey: file('stranger.key'),
    strangerCert: file('stranger.pem'),
    of: async (name) => {
      await signed(name, `DNS:${name}`);
      return { key: file(`${name}.key`), cert: file(`${name}.pem`) };
    },
    read,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
