/**
 * Borders as `latitude longitude` points. The District was a square of ten miles whose corners are marked by stones, so
 * its straight borders are exact. Virginia took back the part that is now Arlington and old Alexandria.
 */
export const districtInMaryland = '38.9343 -77.1197, 38.9960 -77.0410, 38.8929 -76.9094, 38.7917 -77.0389';

/** Borders between Virginia's counties and cities, where the Census Bureau's lines are too coarse. */
export const cityLines: readonly string[] = [
  // Border of Arlington with Fairfax and Falls Church.
  '38.9343 -77.1197, 38.8934 -77.1723, 38.8440 -77.1095',
  // Border of Arlington with Alexandria.
  '38.8440 -77.1095, 38.8375 -77.1000, 38.8385 -77.0880, 38.8430 -77.0700, 38.8440 -77.0600, 38.8415 -77.0480',
  // Border of Alexandria with Fairfax.
  '38.8440 -77.1095, 38.8370 -77.1200, 38.8300 -77.1400, 38.8120 -77.1430, 38.8020 -77.1410, 38.7990 -77.1200, 38.8000 -77.0950, 38.7970 -77.0700, 38.7930 -77.0500, 38.7905 -77.0395',
  // Border of the City of Fairfax.
  '38.8620 -77.3180, 38.8640 -77.2900, 38.8520 -77.2780, 38.8380 -77.2850, 38.8360 -77.3100, 38.8430 -77.3300, 38.8550 -77.3320, 38.8620 -77.3180',
];

/** Counties whose borders the lines above replace: Arlington, Alexandria, Falls Church, the City of Fairfax. */
export const redrawn: readonly string[] = ['51013', '51510', '51610', '51600'];
