import type { PictureSize } from '@beltway/contracts/media/images';
import type { Objects } from '@beltway/kit/objects';
import { notFound } from '@beltway/kit/problems';
import { singleFlight } from '@beltway/kit/single-flight';
import { derivedKey, type DerivedUse, type Images } from '../image/images.ts';
import type { Posters } from '../poster/posters.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';

interface Deps {
  images: Images;
  posters: Posters;
  objects: Objects;
  workers: ImageWorkerPool;
}

/**
 * JPEGs made from our own pictures. Each JPEG is created once and stored under the name of its source. Throws 404 if
 * the source is not one of our pictures.
 */
export interface DerivedPictures {
  ofImage(use: DerivedUse, name: string): Promise<Buffer>;
  /** If the event has changed since, `movedTo` is the URL of its current poster. */
  ofPoster(
    use: DerivedUse,
    id: number,
    version: string,
    plain?: string,
  ): Promise<{ jpeg: Buffer } | { movedTo: string }>;
  /** The site's own link preview. */
  ofSite(): Promise<Buffer>;
}

export function openDerived({ images, posters, objects, workers }: Deps): DerivedPictures {
  const once = singleFlight<Buffer>();
  const from: Record<DerivedUse, PictureSize> = { mail: 'small', share: 'large' };
  const make: Record<DerivedUse, (webp: Uint8Array) => Promise<Buffer>> = {
    mail: workers.forMail,
    share: workers.forSharing,
  };

  async function kept(key: string, made: () => Promise<Buffer>, isThere = async () => true): Promise<Buffer> {
    const found = await objects.get(key);
    if (found) return found;
    return once(key, async () => {
      const jpeg = await made();
      await objects.put(key, jpeg);
      // The source was deleted in the meantime, so its JPEG is deleted, too.
      if (!(await isThere())) await objects.delete(key);
      return jpeg;
    });
  }

  return {
    ofImage: (use, name) =>
      kept(
        derivedKey(use, name),
        async () => {
          // Kept first, so that the sweep finds the file after a crash.
          const body = (await images.keep(name)) && (await images.read(name, from[use]));
          if (!body) throw notFound('image');
          return make[use](body);
        },
        async () => (await images.read(name, from[use])) !== null,
      ),
    async ofPoster(use, id, version, plain = '') {
      const found = await posters.find(id, version, from[use], plain ? 'plain' : 'titled');
      if ('movedTo' in found) return found;
      return { jpeg: await kept(`${use}/posters/${id}-${version}${plain}.jpg`, () => make[use](found.body)) };
    },
    ofSite: () => kept('share/site-1.jpg', workers.forSite),
  };
}
