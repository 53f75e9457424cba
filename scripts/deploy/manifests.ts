import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object, with the fields that these tests read. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has a specification of its own
  spec: any;
}

/** The objects of an overlay. */
export interface Deployed {
  objects: Manifest[];
  /** The entries of each ConfigMap that is generated from lists of variables, by the name of the ConfigMap. */
  configMaps: Map<string, Record<string, string>>;
}

interface Generator {
  name: string;
  behavior?: string;
  envs?: string[];
  literals?: string[];
  files?: string[];
}
interface Kustomization {
  resources?: string[];
  configMapGenerator?: Generator[];
}

/**
 * Fields that a kustomization may use here. A separate test verifies that images and patches change no variable, port,
 * path or policy.
 */
const READ = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'configMapGenerator', 'patches'];

const parse = (file: string): unknown[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]!.message}`);
    return document.toJS() as unknown;
  });

const pairs = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/**
 * Reads the folder of a kustomization like `kustomize build`, limited to the features in use: resources, and ConfigMaps
 * generated from lists of variables. Throws on an unknown field instead of ignoring it.
 */
export function readKustomization(folder: string): Deployed {
  const file = join(folder, 'kustomization.yaml');
  const kustomization = parse(file)[0] as Kustomization;
  const unknown = Object.keys(kustomization).filter((key) => !READ.includes(key));
  if (unknown.length > 0) throw new Error(`${file}: ${unknown.join(', ')} is not read by scripts/deploy/manifests.ts`);

  const found: Deployed = { objects: [], configMaps: new Map() };
  for (const resource of kustomization.resources ?? []) {
    const path = join(folder, resource);
    if (!statSync(path).isDirectory()) {
      found.objects.push(...(parse(path) as Manifest[]));
      continue;
    }
    const inside = readKustomization(path);
    found.objects.push(...inside.objects);
    inside.configMaps.forEach((entries, name) => found.configMaps.set(name, entries));
  }
  generate(found, folder, kustomization.configMapGenerator);
  return found;
}

/** An overlay's objects plus those of a component. */
export function withComponent({ objects, configMaps }: Deployed, folder: string): Deployed {
  const file = join(folder, 'kustomization.yaml');
  const { resources = [], configMapGenerator, ...rest } = parse(file)[0] as Kustomization;
  const unknown = Object.keys(rest).filter((key) => !READ.includes(key));
  if (unknown.length > 0) throw new Error(`${file}: ${unknown.join(', ')} is not read by scripts/deploy/manifests.ts`);
  const added = resources.flatMap((resource) => parse(join(folder, resource)) as Manifest[]);
  const found = { objects: [...objects, ...added], configMaps: new Map(configMaps) };
  generate(found, folder, configMapGenerator);
  return found;
}

function generate(found: Deployed, folder: string, generators: Generator[] = []): void {
  const file = join(folder, 'kustomization.yaml');
  for (const { name, behavior = 'create', envs = [], literals = [], files } of generators) {
    if (files) continue;
    const before = found.configMaps.get(name);
    if ((behavior === 'merge') !== (before !== undefined))
      throw new Error(
        `${file}: ConfigMap ${name} is ${before ? '' : 'not '}there, its behavior must not be ${behavior}`,
      );
    const lines = [...envs.flatMap((env) => readFileSync(join(folder, env), 'utf8').split('\n')), ...literals];
    found.configMaps.set(name, { ...before, ...pairs(lines) });
  }
}

interface From {
  name: string;
  key: string;
  optional?: boolean;
}
interface Container {
  envFrom?: Array<{ configMapRef: { name: string } }>;
  env?: Array<{ name: string; value?: string; valueFrom?: { configMapKeyRef?: From; secretKeyRef?: From } }>;
}

/** A variable of a container: the value, or the Secret that contains the value. */
export type Variable = { value: string } | { secret: string; key: string; optional: boolean };

/**
 * The variables of a container in Kubernetes' order: a later variable overrides an earlier one. Throws if a ConfigMap
 * or its key does not exist.
 */
export function variablesOf({ envFrom = [], env = [] }: Container, configMaps: Deployed['configMaps']) {
  const entriesOf = (name: string) => {
    const entries = configMaps.get(name);
    if (!entries) throw new Error(`There is no ConfigMap ${name}`);
    return entries;
  };
  const variables = new Map<string, Variable>();
  for (const { configMapRef } of envFrom)
    for (const [name, value] of Object.entries(entriesOf(configMapRef.name))) variables.set(name, { value });
  for (const { name, value, valueFrom } of env) {
    const { secretKeyRef: secret, configMapKeyRef: entry } = valueFrom ?? {};
    const found = entry ? entriesOf(entry.name)[entry.key] : value;
    if (secret) variables.set(name, { secret: secret.name, key: secret.key, optional: secret.optional ?? false });
    else if (found === undefined) throw new Error(`${name} has no value: there is no ${entry?.key} in ${entry?.name}`);
    else variables.set(name, { value: found });
  }
  return variables;
}
