import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Edit your page',
  everyoneSees: 'Everyone can see this.',
  picture: 'Profile photo',
  cover: 'Cover photo',
  fileOf: '{what}, from your device',
  preview: 'Preview',
  uploading: 'Uploading…',
  addPhoto: 'Add photo',
  anotherPhoto: 'Choose another',
  removePhoto: 'Remove photo',
  about: 'About you',
  links: 'Links',
  linksHint: 'One per line, up to {count}, starting with https://',
  save: 'Save',
  saving: 'Saving…',
} as const;
export const texts = catalog(english, { es: () => import('./profile.texts.es.ts') });
