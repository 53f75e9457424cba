import { expect, test } from 'vitest';
import { checkReplicas, instanceName, parseReplicas } from './replicas.ts';
import { StartError } from '../start-error.ts';
import { beltway } from '../system.ts';

const system = beltway();

test('parses the number of instances of each service', () => {
  expect(parseReplicas(undefined)).toEqual({});
  expect(parseReplicas('')).toEqual({});
  expect(parseReplicas('ticketing:2, catalog : 8,')).toEqual({ ticketing: 2, catalog: 8 });
  expect([0, 1, 2].map((index) => instanceName('ticketing', index))).toEqual([
    'ticketing',
    'ticketing-2',
    'ticketing-3',
  ]);
});

test.each([
  'ticketing',
  'ticketing:',
  'ticketing:0',
  'ticketing:9',
  'ticketing:two',
  'ticketing=2',
  ':2',
  'ticketing:1.5',
])('an invalid value is reported: %s', (text) => {
  expect(() => parseReplicas(`catalog:2,${text}`)).toThrow(StartError);
  expect(() => parseReplicas(`catalog:2,${text}`)).toThrow(`"${text}"`);
});

test('a service that is named twice is refused', () => {
  expect(() => parseReplicas('ticketing:2,ticketing:3')).toThrow('ticketing twice');
});

test('replicas of an unknown or single-instance service are refused, with the possible services', () => {
  for (const name of ['sandbox', 'postgres', 'tickets', 'constructor'])
    expect(() => checkReplicas({ [name]: 2 }, system)).toThrow(
      `"${name}" cannot run several times, only identity, catalog, ticketing, payments, realtime, media, gateway can`,
    );
  expect(() => checkReplicas({ ticketing: 2, gateway: 2 }, system, 'linux')).not.toThrow();
});

test('several gateways share a port, which requires Linux', () => {
  expect(() => checkReplicas({ gateway: 2 }, system, 'darwin')).toThrow('share PORT');
  expect(() => checkReplicas({ gateway: 1, ticketing: 2 }, system, 'darwin')).not.toThrow();
});
