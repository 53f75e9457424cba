import { catalog } from '../../../lib/i18n/catalog.ts';

const english = {
  noPosition: 'Your device has not said yet where you are.',
  tooLong: 'These are too many words to keep with a day. Leave some out.',
  saved: 'Search saved',
  savedAs: 'You have saved this search as ‘{name}’',
  ringsBell: 'New events that it finds ring your bell.',
  yourSearches: 'Your saved searches',
  saveThis: 'Save this search',
  saving: 'Saving…',
  save: 'Save search',
  saveWhy:
    'When an event is published that it finds, your bell rings. Choose in your account whether it comes by mail and on your devices too.',
  looksFor: 'What it looks for',
  positionKept: 'Where you are now is kept with it, rounded to about a kilometer, until you delete the search.',
  name: 'Name',
  savedSearches: 'Saved searches',
  notLoaded: 'Your searches could not be loaded',
  loading: 'Your searches are loading',
  none: 'None yet. Search or filter on the home page and press ‘Save this search’: your bell rings when a new event fits.',
  findEvents: 'Find events',
  ringBell: 'New events that these find ring your bell. {count} of {max}.',
  deleted: 'Search deleted',
  ringsNoMore: '‘{name}’ rings no more.',
  notDeleted: 'Not deleted',
  renameOf: 'Rename {name}',
  deleteOf: 'Delete {name}',
  renameThis: 'Rename this search',
  renaming: 'Renaming…',
  rename: 'Rename',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
