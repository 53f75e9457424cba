import { expect, test } from 'vitest';
import { addedSize } from './added-size.ts';

const history = (...steps: Array<[number, string]>) =>
  steps.map(([Size, CreatedBy]) => JSON.stringify({ CreatedBy, Size: String(Size) })).join('\n') + '\n';

test('an image adds the steps after its base image', () => {
  const ours = (argument: string) =>
    history(
      [0, 'CMD ["start"]'],
      [1_200_000, 'COPY /sources ./ # buildkit'],
      [60_000_000, 'COPY /app/node_modules ./node_modules # buildkit'],
      [100, 'RUN |3 SERVICE=media VERSION=0.1.0 /bin/sh -c mkdir /data # buildkit'],
      [0, 'ARG VERSION=0.1.0'],
      [0, argument],
      [126_000_000, 'COPY node /usr/local/bin/node # buildkit'],
      [82_000_000, ''],
    );
  expect(addedSize(ours('ARG SERVICE'))).toBe(61_200_100);
  expect(addedSize(ours('/bin/sh -c #(nop)  ARG SERVICE'))).toBe(61_200_100);
});

test('an image of another Dockerfile is refused instead of measured as zero', () => {
  expect(() => addedSize(history([126_000_000, 'COPY node /usr/local/bin/node'], [82_000_000, '']))).toThrow(
    'was not built from',
  );
});
