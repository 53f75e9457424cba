import { NamedPictures } from '@beltway/contracts/media';
import { photoUrl } from '@beltway/contracts/pictures';
import type { InternalClient } from '@beltway/kit/internal';
import { PICTURE_FILE, SIZES } from './files.ts';
import type { AskNamed } from './kept-images.ts';

/** Asks the catalog, whose events, ads and series alone name pictures in `images/`. An event may name any size of one. */
export const askNamed =
  (catalog: Pick<InternalClient, 'post'>): AskNamed =>
  async (names) => {
    const urls = names.flatMap((name) => SIZES.map((size) => photoUrl(name, size)));
    const { named } = NamedPictures.parse(await catalog.post('/internal/pictures/named', { urls }));
    return new Set(named.map((url) => PICTURE_FILE.exec(url.slice('/media/images/'.length))?.[1] ?? ''));
  };
