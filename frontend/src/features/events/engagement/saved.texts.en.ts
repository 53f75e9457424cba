export const texts = {
  saved: 'Saved',
  nothing: 'Nothing saved yet',
  nothingWhy: 'Press the bookmark of an event, and it waits for you here.',
  seeWhatIsOn: 'See what is on',
} as const;
