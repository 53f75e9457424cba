import type { RowsOf } from './rows.ts';

/** Universities and colleges. The position is the center of the main campus. */
export const universities: readonly RowsOf[] = [
  {
    city: 'Washington',
    state: 'DC',
    rows: [
      ['American University', 38.9371, -77.089],
      ['Catholic University of America', 38.9355, -76.998, 'Catholic University', 'CUA'],
      ['Gallaudet University', 38.9073, -76.993, 'Gallaudet'],
      ['George Washington University', 38.8997, -77.0486, 'GWU'],
      ['Georgetown University', 38.9076, -77.0723],
      ['Howard University', 38.9227, -77.0194],
      ['Trinity Washington University', 38.927, -77.0045],
      ['University of the District of Columbia', 38.944, -77.065, 'UDC'],
    ],
  },
  {
    city: 'Fairfax',
    state: 'VA',
    rows: [['George Mason University', 38.8298, -77.3074, 'GMU', 'George Mason']],
  },
  {
    city: 'Arlington',
    state: 'VA',
    rows: [['Marymount University', 38.905, -77.127]],
  },
  {
    city: 'Annandale',
    state: 'VA',
    rows: [['Northern Virginia Community College', 38.8336, -77.236, 'NOVA Annandale']],
  },
  {
    city: 'Fredericksburg',
    state: 'VA',
    rows: [['University of Mary Washington', 38.3015, -77.4745]],
  },
  {
    city: 'College Park',
    state: 'MD',
    rows: [['University of Maryland', 38.9869, -76.9426, 'UMD', 'University of Maryland College Park']],
  },
  {
    city: 'Bowie',
    state: 'MD',
    rows: [['Bowie State University', 39.0195, -76.7594]],
  },
  {
    city: 'Rockville',
    state: 'MD',
    rows: [['Montgomery College', 39.0966, -77.1585, 'Montgomery College Rockville']],
  },
  {
    city: 'Annapolis',
    state: 'MD',
    rows: [['United States Naval Academy', 38.9827, -76.4841, 'Naval Academy', 'US Naval Academy', 'USNA']],
  },
  {
    city: 'Baltimore',
    state: 'MD',
    rows: [
      ['Johns Hopkins University', 39.3299, -76.6205, 'Johns Hopkins', 'JHU'],
      ['Morgan State University', 39.3441, -76.584],
      ['University of Maryland, Baltimore County', 39.2557, -76.711, 'UMBC'],
    ],
  },
  {
    city: 'Towson',
    state: 'MD',
    rows: [['Towson University', 39.392, -76.612]],
  },
];

/** Airports. The position is the terminal. */
export const airports: readonly RowsOf[] = [
  {
    city: 'Arlington',
    state: 'VA',
    rows: [
      [
        'Reagan National Airport',
        38.8525,
        -77.0435,
        'Ronald Reagan Washington National Airport',
        'DCA',
        'National Airport',
      ],
    ],
  },
  {
    city: 'Dulles',
    state: 'VA',
    rows: [
      [
        'Dulles International Airport',
        38.953,
        -77.448,
        'Washington Dulles International Airport',
        'IAD',
        'Dulles Airport',
        'Dulles',
      ],
    ],
  },
  {
    city: 'Linthicum',
    state: 'MD',
    rows: [
      [
        'BWI Airport',
        39.179,
        -76.669,
        'BWI',
        'Baltimore/Washington International Airport',
        'BWI Marshall',
        'BWI Thurgood Marshall Airport',
      ],
    ],
  },
];
