/** A step of the image's making, as `docker history --no-trunc --human=false --format '{{json .}}'` prints it. */
interface Step {
  CreatedBy: string;
  Size: string;
}

/** The first line of the Dockerfile's last part that is not the base image's. Older engines write `/bin/sh -c #(nop) ` before it. */
const FIRST_OF_OURS = /(^|\s)ARG SERVICE$/;

/**
 * What an image of ours adds to its base, in bytes: the steps of `docker history`, newest first, down to the first one of ours. Throws for
 * an image that our Dockerfile did not make.
 */
export function addedSize(history: string): number {
  const steps = history
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
  const first = steps.findIndex(({ CreatedBy }) => FIRST_OF_OURS.test(CreatedBy));
  if (first < 0) throw new Error('it was not made by the Dockerfile of this repository');
  return steps.slice(0, first + 1).reduce((sum, { Size }) => sum + Number(Size), 0);
}
