import { NamedPictures } from '@beltway/contracts/media/images';
import { photoUrl } from '@beltway/contracts/media/pictures';
import type { InternalClient } from '@beltway/kit/internal';
import { PICTURE_FILE, SIZES } from './files.ts';
import type { AskNamed } from './kept-images.ts';

/**
 * Asks the services that refer to pictures in `images/`: the catalog for events, ads and series, realtime for posts. An
 * event may refer to any size. If one of the services does not respond, throws, so that nothing is deleted.
 */
export const askNamed =
  (services: ReadonlyArray<Pick<InternalClient, 'post'>>): AskNamed =>
  async (names) => {
    const urls = names.flatMap((name) => SIZES.map((size) => photoUrl(name, size)));
    const answers = await Promise.all(services.map((service) => service.post('/internal/pictures/named', { urls })));
    const named = answers.flatMap((answer) => NamedPictures.parse(answer).named);
    return new Set(named.map((url) => PICTURE_FILE.exec(url.slice('/media/images/'.length))?.[1] ?? ''));
  };
