import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { wrongVariables } from '../config.ts';

/**
 * Reads the certificates of a PEM file. If the file cannot be read or contains no certificate, throws a `ConfigError`
 * that names the variable.
 */
export function readCaFile(variable: string, path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    // Throws for an invalid certificate. If the file has several, only the first is checked.
    new X509Certificate(text);
    return text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = /^E[A-Z]+$/.test(code) ? `cannot be read (${code})` : 'holds no certificate (PEM)';
    throw wrongVariables([`${variable}: ${why}`]);
  }
}
