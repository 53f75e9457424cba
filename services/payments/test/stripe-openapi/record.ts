// node services/payments/test/stripe-openapi/record.ts <spec3.json>: extracts the part of Stripe's description that our
// calls need (README.md).
import { readFileSync, writeFileSync } from 'node:fs';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Tree = { [name: string]: Json };

/** The calls of `src/provider`. */
const CALLS: Array<[method: string, path: string]> = [
  ['post', '/v1/payment_intents'],
  ['get', '/v1/payment_intents/search'],
  ['get', '/v1/payment_intents/{intent}'],
  ['post', '/v1/payment_intents/{intent}/cancel'],
  ['post', '/v1/refunds'],
  ['get', '/v1/refunds'],
  ['get', '/v1/events'],
  ['get', '/v1/charges'],
  ['post', '/v1/customers'],
  ['post', '/v1/accounts'],
  ['get', '/v1/accounts/{account}'],
  ['post', '/v1/account_links'],
  ['post', '/v1/transfers'],
  ['get', '/v1/transfers'],
  ['post', '/v1/transfers/{id}/reversals'],
  ['get', '/v1/transfers/{id}/reversals'],
  ['get', '/v1/application_fees/{id}'],
  ['post', '/v1/application_fees/{id}/refunds'],
  ['get', '/v1/balance'],
  ['get', '/v1/balance_transactions'],
  ['post', '/v1/payouts'],
  ['get', '/v1/payouts'],
];
/** The objects that the provider's events contain. */
const OBJECTS = ['payment_intent', 'charge', 'refund', 'dispute', 'account', 'payout', 'transfer', 'application_fee'];

const isTree = (value: Json | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const tree = (value: Json | undefined): Tree => {
  if (!isTree(value)) throw new Error('not a description as we know it');
  return value;
};
const at = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>((found, name) => (isTree(found) ? found[name] : undefined), value);

/**
 * Removes prose. Expandable fields become an id or any object, so that they do not pull in all of Stripe's description.
 */
function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map(bare);
  if (!isTree(value)) return value;
  if ('x-expansionResources' in value)
    return { ...(value['nullable'] === true && { nullable: true }), anyOf: [{ type: 'string' }, { type: 'object' }] };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !name.startsWith('x-') && !(/^(description|title)$/.test(name) && !isTree(inner)))
      .map(([name, inner]) => [name, bare(inner)]),
  );
}

function refsIn(value: Json, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) refsIn(inner, found);
  else if (isTree(value)) {
    if (typeof value['$ref'] === 'string') found.add(value['$ref'].split('/').at(-1) ?? '');
    for (const inner of Object.values(value)) refsIn(inner, found);
  }
  return found;
}

const [source] = process.argv.slice(2);
if (!source) throw new Error('say where spec3.json is');
const spec = tree(JSON.parse(readFileSync(source, 'utf8')) as Json);

const calls = CALLS.map(([method, path]) => {
  const call = tree(at(spec, 'paths', path, method));
  const parameters = (call['parameters'] as Tree[] | undefined) ?? [];
  const query = parameters.filter((one) => one['in'] === 'query');
  return {
    method,
    path,
    query: Object.fromEntries(query.map((one) => [String(one['name']), bare(one['schema'] ?? {})])),
    body: bare(at(call, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema') ?? null),
    answer: bare(at(call, 'responses', '200', 'content', 'application/json', 'schema') ?? null),
  };
});
const schemas: Tree = {};
for (let names = [...OBJECTS, ...refsIn(calls)]; names.length > 0;) {
  for (const name of names) schemas[name] ??= bare(at(spec, 'components', 'schemas', name) ?? {});
  names = [...refsIn(schemas)].filter((name) => !(name in schemas));
}
const version = at(spec, 'info', 'version') ?? '';
writeFileSync(
  new URL('openapi.json', import.meta.url),
  `${JSON.stringify({ version, calls, components: { schemas } })}\n`,
);
