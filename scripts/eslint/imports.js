import { dirname, relative, resolve, sep } from 'node:path';

/**
 * The area of the repository that a file belongs to: `services/ticketing`, `packages/kit`,
 * `frontend/src/features/events`, `frontend`, `e2e`, …
 */
export function areaOf(path) {
  const parts = path.split(/[/\\]/);
  if (parts[0] === 'services' || parts[0] === 'packages') return parts.slice(0, 2).join('/');
  if (path.startsWith('frontend/src/features/') && parts.length > 4) return parts.slice(0, 4).join('/');
  return parts.length > 1 ? parts[0] : '';
}

const PACKAGES = [
  'calendar',
  'card-sandbox',
  'contracts',
  'event-store',
  'kit',
  'places',
  'test-engines',
  'tracing',
  'typeset',
];

/** The area of an imported file, for relative paths and this repository's packages; undefined for packages from npm. */
function targetOf(source, from) {
  if (source.startsWith('.'))
    return areaOf(
      relative(process.cwd(), resolve(dirname(from), source))
        .split(sep)
        .join('/'),
    );
  const own = /^@beltway\/([^/]+)/.exec(source)?.[1];
  if (!own) return undefined;
  if (own === 'frontend') return 'frontend';
  return `${PACKAGES.includes(own) ? 'packages' : 'services'}/${own}`;
}

const top = (area) => area.split('/')[0];

/**
 * The contracts that the kit may import: people (accounts, roles, languages, erasures) and the sentences of problems.
 * The kit may import no other part of the domain.
 */
const KIT_CONTRACTS = /^@beltway\/contracts\/(common|ops|identity|problems)\//;

/** The reason why `from` may not import `to`, which the import names as `source`; undefined for an allowed import. */
export function objection(from, to, file, source) {
  if (from === to) return undefined;
  // Tests of packages may use helpers that start databases and processes.
  if (top(from) === 'packages' && /\/test\/|\.test\.ts$/.test(file) && top(to) !== 'services') return undefined;
  if (top(from) === 'services') {
    if (top(to) === 'services') return 'A service never imports another service: it hears its events.';
    if (top(to) !== 'packages') return 'Services import packages only.';
  }
  if (top(from) === 'packages' && top(to) !== 'packages') return 'Packages know nothing of services, page or scripts.';
  if (from === 'packages/contracts') return 'Contracts stand alone.';
  if (from === 'packages/event-store' && to !== 'packages/tracing')
    return 'The event store knows no word of the domain, and does not need the kit.';
  if (from === 'packages/kit' && to === 'packages/contracts' && !KIT_CONTRACTS.test(source))
    return 'The kit knows people and languages, and nothing else of the domain.';
  if (top(from) === 'frontend') {
    if (from.includes('/features/') && to.includes('/features/'))
      return 'Features do not import each other; what they share lies above them.';
    if (top(to) !== 'frontend' && to !== 'packages/contracts' && to !== 'packages/places')
      return 'The frontend imports contracts and places only.';
  }
  if (top(from) === 'e2e' && to !== 'packages/contracts' && !file.startsWith('e2e/support/'))
    return 'Stories import contracts and their support only.';
  return undefined;
}

/** Allowed directions of imports (house style, section 2). */
export const direction = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = relative(process.cwd(), context.filename).split(sep).join('/');
    const from = areaOf(file);
    const check = (node) => {
      if (typeof node.source?.value !== 'string' || from === '') return;
      const to = targetOf(node.source.value, context.filename);
      const message = to === undefined || to === '' ? undefined : objection(from, to, file, node.source.value);
      if (message) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

/** Deciders, processes and stock are pure: they import only types, `Rejected`, each other, and values of contracts. */
export const pure = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      ImportDeclaration(node) {
        if (node.importKind === 'type' || /^(@beltway\/contracts\/|\.\/stock\.ts$)/.test(node.source.value)) return;
        const values = node.specifiers.filter((one) => one.importKind !== 'type' && one.imported?.name !== 'Rejected');
        if (values.length > 0 || node.specifiers.length === 0) {
          context.report({ node, message: 'Deciders, processes and stock import types, Rejected and contracts only.' });
        }
      },
    };
  },
};
