import type { OrganizerProfileBody } from '@beltway/contracts/catalog/organizer-profile';
import { Organizer } from '@beltway/contracts/catalog/organizers';
import { StoredImage } from '@beltway/contracts/media/images';
import { put, upload } from '../../lib/http/http.ts';

/** PUT /api/me/organizer: replaces the profile of the account's own page. */
export const saveProfile = (profile: OrganizerProfileBody) => put('/api/me/organizer', profile, Organizer);

export function storePicture(file: File): Promise<StoredImage> {
  const form = new FormData();
  form.set('image', file);
  return upload('/api/images', form, StoredImage);
}
