import { StartError } from '../start-error.ts';

const MAX_INSTANCES = 8;

/** Number of instances of each service; a service that is not named has one instance. */
export type Replicas = Record<string, number>;

/** Parses `BELTWAY_REPLICAS`: `ticketing:2,catalog:2`. Throws a `StartError` with the reason if it is invalid. */
export function parseReplicas(text: string | undefined): Replicas {
  const replicas: Replicas = {};
  for (const part of (text ?? '').split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, name, count] = /^([\w-]+)\s*:\s*(\d+)$/.exec(part) ?? [];
    if (!name || Number(count) < 1 || Number(count) > MAX_INSTANCES)
      throw new StartError(
        `BELTWAY_REPLICAS must look like ticketing:2,catalog:2, each 1 to ${MAX_INSTANCES}, not "${part}"`,
      );
    if (replicas[name] !== undefined) throw new StartError(`BELTWAY_REPLICAS names ${name} twice`);
    replicas[name] = Number(count);
  }
  return replicas;
}

/** Throws a `StartError` for an unknown service, or for a service that cannot have several instances. */
export function checkReplicas(
  replicas: Replicas,
  { services }: { services: ReadonlyArray<{ name: string; single?: true }> },
  platform: string = process.platform,
): void {
  const able = services.filter(({ single }) => !single).map(({ name }) => name);
  for (const [name, count] of Object.entries(replicas)) {
    if (!able.includes(name))
      throw new StartError(`BELTWAY_REPLICAS: "${name}" cannot run several times, only ${able.join(', ')} can`);
    if (count > 1 && name === services.at(-1)!.name && platform !== 'linux')
      throw new StartError(`BELTWAY_REPLICAS: several of ${name} share PORT, which only Linux can; leave it at 1`);
  }
}

/** Names of instances: `ticketing`, `ticketing-2`, `ticketing-3`, … */
export const instanceName = (service: string, index: number): string =>
  index === 0 ? service : `${service}-${index + 1}`;
