import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/** A sample live stream with its event. */
export interface SampleStream {
  title: string;
  description: string;
  /** The words of the location determine the kind of place (`livestreamCategoryOf`). */
  location: string;
  category: LivestreamCategory;
  tags: string[];
}

const MADE_UP = 'Made up for the demo: this is an animation, not a real camera, and nothing it shows is real.';

/** One stream for each kind of place; scripts/clips.ts draws their clips. */
export const sampleStreams: SampleStream[] = [
  {
    title: 'Dusk at the Monument',
    description: `Flags, a long reflection and the first stars over the Mall. ${MADE_UP}`,
    location: 'National Mall, Washington, DC',
    category: 'Landmark',
    tags: ['#free', '#outdoors'],
  },
  {
    title: 'Boats at the Wharf',
    description: `Sails, gulls and a little swell in the channel. ${MADE_UP}`,
    location: 'The Wharf, Washington, DC',
    category: 'Waterfront',
    tags: ['#free', '#waterfront'],
  },
  {
    title: 'Clouds over Capitol Hill',
    description: `The dome, the flag and the fountain in front of them. ${MADE_UP}`,
    location: 'Capitol Hill, Washington, DC',
    category: 'Government',
    tags: ['#free', '#outdoors'],
  },
  {
    title: 'Dance Floor on U Street',
    description: `Beams, bars and a floor that does not stand still. ${MADE_UP}`,
    location: 'U Street, Washington, DC',
    category: 'Entertainment District',
    tags: ['#UStreet', '#liveDJ', '#nightlife'],
  },
  {
    title: 'The Wheel at National Harbor',
    description: `Twelve cabins go round above the river. ${MADE_UP}`,
    location: 'National Harbor, MD',
    category: 'Waterfront Resort',
    tags: ['#family', '#waterfront'],
  },
  {
    title: 'Around Dupont Circle',
    description: `People, cars and one traffic light. ${MADE_UP}`,
    location: 'Dupont Circle, Washington, DC',
    category: 'Street Views',
    tags: ['#free', '#art'],
  },
];
