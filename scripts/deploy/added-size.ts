/** A build step of the image, as printed by `docker history --no-trunc --human=false --format '{{json .}}'`. */
interface Step {
  CreatedBy: string;
  Size: string;
}

/**
 * The first line of the Dockerfile's last stage after its base image. Older engines prefix it with `/bin/sh -c #(nop)
 * `.
 */
const FIRST_OF_OURS = /(^|\s)ARG SERVICE$/;

/**
 * Bytes that an image adds to its base: the steps of `docker history`, newest first, down to the first step of this
 * Dockerfile. Throws if another Dockerfile built the image.
 */
export function addedSize(history: string): number {
  const steps = history
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
  const first = steps.findIndex(({ CreatedBy }) => FIRST_OF_OURS.test(CreatedBy));
  if (first < 0) throw new Error('it was not built from the Dockerfile of this repository');
  return steps.slice(0, first + 1).reduce((sum, { Size }) => sum + Number(Size), 0);
}
