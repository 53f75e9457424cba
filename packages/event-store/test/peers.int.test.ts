import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { commandId, database, instance } from './support.ts';

const take = (who: string, count = 1) => ({ type: 'Take', who, count }) as const;
const fill = (size: number) => ({ type: 'Fill', size }) as const;
const id = () => ({ commandId: commandId() });

test('an instance does not refuse from an old memory what another has made possible since', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id()); // as a hold that is given back
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('a repeat is answered as accepted by an instance that did not decide it, also when it would refuse', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id());
  const wish = id();
  const accepted = await two.boxes.handle(1, take('bob'), wish);
  await expect(one.boxes.handle(1, take('bob'), wish)).resolves.toEqual({ ...accepted, repeated: true });
});

test('an instance knows when it is alone, and that it is not from the moment another comes', async () => {
  const { url } = await database();
  const one = instance(url);
  await eventually(() => one.store.peers.alone() !== undefined);
  const before = one.store.peers.alone();
  const two = instance(url);
  await eventually(() => one.store.peers.alone() === undefined);
  expect(two.store.peers.alone()).toBeUndefined();
  await two.boxes.handle(1, fill(1), id());
  await two.close();
  await eventually(() => one.store.peers.alone() !== undefined);
  expect(one.store.peers.alone()).not.toBe(before);
});

test('after the other has gone, what it did last is seen once, and then memory is trusted again', async () => {
  const { url } = await database();
  const one = instance(url);
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  const two = instance(url);
  await two.boxes.handle(1, fill(1), id());
  await two.close();
  await eventually(() => one.store.peers.alone() !== undefined);
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});
