import type { RowsOf } from './rows.ts';

/** Parks, gardens and squares. The position is the center, or the entrance where people meet. */
export const parks: readonly RowsOf[] = [
  {
    city: 'Washington',
    state: 'DC',
    rows: [
      ['Anacostia Park', 38.872, -76.979],
      ['East Potomac Park', 38.867, -77.0275],
      ['Farragut Square', 38.902, -77.039],
      ['Fort Reno Park', 38.952, -77.077, 'Fort Reno'],
      ['Franklin Park', 38.9023, -77.0305, 'Franklin Square'],
      ['Georgetown Waterfront Park', 38.9025, -77.064, 'Georgetown Waterfront'],
      ['Hains Point', 38.8562, -77.0216],
      ['Kenilworth Park and Aquatic Gardens', 38.9126, -76.9417, 'Kenilworth Aquatic Gardens'],
      ['Lafayette Square', 38.8995, -77.0365, 'Lafayette Park'],
      ['Lincoln Park', 38.8899, -76.9895],
      ['Meridian Hill Park', 38.9212, -77.0358, 'Malcolm X Park'],
      ['National Arboretum', 38.9122, -76.9658, 'US National Arboretum'],
      ['National Mall', 38.8895, -77.023, 'The Mall', 'The National Mall'],
      ['National Zoo', 38.9296, -77.0498, 'Smithsonian Zoo', 'National Zoological Park'],
      ['Rock Creek Park', 38.957, -77.045],
      ['Stanton Park', 38.8935, -76.9998],
      ['The Ellipse', 38.894, -77.0365, 'Ellipse'],
      ['Theodore Roosevelt Island', 38.8967, -77.064, 'Roosevelt Island'],
      ['Tidal Basin', 38.8842, -77.0388],
      ['US Botanic Garden', 38.8881, -77.0129, 'Botanic Garden', 'United States Botanic Garden'],
      ['West Potomac Park', 38.8845, -77.0455],
      ['Yards Park', 38.8733, -77.001, 'The Yards Park'],
    ],
  },
  {
    city: 'Vienna',
    state: 'VA',
    rows: [['Meadowlark Botanical Gardens', 38.937, -77.281, 'Meadowlark Gardens']],
  },
  {
    city: 'McLean',
    state: 'VA',
    rows: [['Great Falls Park', 38.9966, -77.2541]],
  },
  {
    city: 'Reston',
    state: 'VA',
    rows: [['Lake Fairfax Park', 38.964, -77.321, 'Lake Fairfax']],
  },
  {
    city: 'Fairfax Station',
    state: 'VA',
    rows: [['Burke Lake Park', 38.7605, -77.3105, 'Burke Lake']],
  },
  {
    city: 'Manassas',
    state: 'VA',
    rows: [['Manassas National Battlefield Park', 38.8128, -77.5217, 'Manassas Battlefield', 'Bull Run Battlefield']],
  },
  {
    city: 'Triangle',
    state: 'VA',
    rows: [['Prince William Forest Park', 38.5853, -77.3797]],
  },
  {
    city: 'Potomac',
    state: 'MD',
    rows: [['Great Falls Tavern', 39.0018, -77.2467, 'C&O Canal Great Falls']],
  },
  {
    city: 'Glen Echo',
    state: 'MD',
    rows: [['Glen Echo Park', 38.9664, -77.1382]],
  },
  {
    city: 'Greenbelt',
    state: 'MD',
    rows: [['Greenbelt Park', 38.987, -76.897]],
  },
  {
    city: 'Wheaton',
    state: 'MD',
    rows: [['Brookside Gardens', 39.0575, -77.0335]],
  },
];
