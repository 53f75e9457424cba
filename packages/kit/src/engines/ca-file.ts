import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { wrongVariables } from '../config.ts';

/** The certificates of a PEM file. Throws `ConfigError`, which names the variable, when there are none to be read. */
export function readCaFile(variable: string, path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    // Throws for what is no certificate; of several it reads the first.
    new X509Certificate(text);
    return text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = /^E[A-Z]+$/.test(code) ? `cannot be read (${code})` : 'holds no certificate (PEM)';
    throw wrongVariables([`${variable}: ${why}`]);
  }
}
