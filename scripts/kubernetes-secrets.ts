import { developmentSecrets } from './deploy/development-secrets.ts';

/**
 * `npm run --silent kubernetes-secrets | kubectl create -f -` creates the Secrets of `k8s/overlays/dev`. `create` does
 * not change existing Secrets.
 */
try {
  const items = Object.entries(developmentSecrets(process.env)).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'beltway' },
    stringData,
  }));
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
