import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

export const WIDTH = 640;
export const HEIGHT = 360;

/** A moving picture as the content of an SVG. `t` runs from 0 to 1, and the picture at 1 equals the picture at 0. */
type Scene = (t: number) => string;

const turn = (t: number, times = 1) => Math.sin(2 * Math.PI * times * t);
const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width}" height="${height}" fill="${fill}"/>`;
const disc = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r}" fill="${fill}"/>`;
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const many = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => draw(i)).join('');
/** A fixed number from 0 to 1 for each index, so that each run draws the same pictures. */
const spread = (index: number, salt = 1) => (Math.abs(Math.sin(index * 127.1 + salt * 311.7)) * 43_758.5453) % 1;
const sky = (top: string, bottom: string) =>
  `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>` +
  rect(0, 0, WIDTH, HEIGHT, 'url(#sky)');
const stars = (t: number, below: number) =>
  many(40, (i) => {
    const shine = 0.5 + 0.5 * turn(t + spread(i, 3), 1 + (i % 3));
    return `<g opacity="${shine.toFixed(2)}">${disc(spread(i) * WIDTH, spread(i, 2) * below, 1.2, '#fff')}</g>`;
  });
/** A position that crosses the picture `times` times and then reenters on the other side. */
const across = (t: number, from: number, times: number, margin = 80) => {
  const width = WIDTH + 2 * margin;
  return ((((from + t * times * width) % width) + width) % width) - margin;
};
const cloud = (x: number, y: number) =>
  `<g opacity=".5">${disc(x, y, 16, '#fff')}${disc(x + 20, y - 8, 20, '#fff')}${disc(x + 44, y, 15, '#fff')}</g>`;
const wave = (t: number, y: number, height: number, length: number, times: number, fill: string) => {
  const points = Array.from({ length: 33 }, (_, i) => {
    const x = i * 20;
    return `${x} ${(y + height * turn(x / length - times * t)).toFixed(1)}`;
  });
  return path(`M${points.join('L')}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}z`, fill);
};
const windows = (t: number, x: number, y: number, columns: number, rows: number) =>
  many(columns * rows, (i) => {
    const isLit = turn(t + spread(i, x), 1) > -0.2;
    const [column, row] = [i % columns, Math.floor(i / columns)];
    return rect(x + column * 16, y + row * 20, 8, 11, isLit ? '#ffd98a' : '#2c3656');
  });

const landmark: Scene = (t) =>
  sky('#27264f', '#f08a72') +
  stars(t, 120) +
  cloud(across(t, 100, 1), 90) +
  cloud(across(t, 420, 1), 140) +
  rect(0, 250, WIDTH, 110, '#1d3b39') +
  path('M308 250L314 70L320 56L326 70L332 250z', '#f4ead7') +
  path('M320 56L326 70L332 250L320 250z', '#cdbfa6') +
  // Warning lights of the tip.
  `<g opacity="${(0.5 + 0.5 * turn(t, 5)).toFixed(2)}">${disc(317, 76, 2, '#f33')}${disc(323, 76, 2, '#f33')}</g>` +
  // A ring of flags.
  many(13, (i) => {
    const x = 80 + i * 40;
    const lift = 3 * turn(t * 5 + i / 4);
    return (
      rect(x, 226, 1.6, 30, '#ddd') +
      path(`M${x + 2} 226q7 ${lift - 2} 14 ${lift}v9q-7 ${-lift} -14 0z`, i % 2 ? '#b8323c' : '#e9e4da')
    );
  }) +
  rect(0, 285, WIDTH, 75, '#27466b') +
  many(14, (i) => rect(290 + 6 * turn(t * 2 + i / 5), 288 + i * 5, 60, 2, '#8d8ba0'));

const waterfront: Scene = (t) => {
  const x = across(t, 200, 1, 120);
  const y = 236 + 4 * turn(t, 4);
  return (
    sky('#9fd4ee', '#f6e2bd') +
    disc(520, 80, 34, '#fff3c4') +
    cloud(across(-t, 300, 1), 70) +
    many(9, (i) => rect(20 + i * 70, 150 + 40 * spread(i), 46, 90, i % 2 ? '#5c7a8a' : '#48657a')) +
    wave(t, 226, 5, 160, 3, '#3f8aa6') +
    path(`M${x - 50} ${y}h100l-16 22h-66z`, '#8c2f39') +
    path(`M${x} ${y - 4}v-84l42 80z`, '#fffaf0') +
    path(`M${x - 4} ${y - 4}v-66l-30 62z`, '#f0e6d2') +
    wave(t + 0.3, 256, 6, 210, -4, '#2f6f91') +
    wave(t, 290, 7, 280, 5, '#22567a') +
    many(5, (i) => {
      const gull = across(t, i * 150, 2);
      const flap = 5 * turn(t, 12 + i);
      return `<path d="M${gull - 9} ${60 + i * 17 - flap}q5 -4 9 ${flap}q4 -${Math.abs(flap)} 9 -${flap}" fill="none" stroke="#334" stroke-width="2"/>`;
    })
  );
};

const government: Scene = (t) =>
  sky('#5aa0d8', '#d9ecf5') +
  cloud(across(t, 60, 1), 60) +
  cloud(across(t, 330, 1), 110) +
  cloud(across(t, 560, 2), 40) +
  rect(0, 290, WIDTH, 70, '#3f7d46') +
  path('M0 290h640v14H0z', '#569a5b') +
  rect(120, 220, 400, 70, '#f3efe6') +
  many(20, (i) => rect(130 + i * 20, 230, 7, 58, '#d5cdbd')) +
  rect(112, 212, 416, 10, '#e3dccd') +
  rect(260, 170, 120, 44, '#f3efe6') +
  many(7, (i) => rect(268 + i * 17, 176, 6, 36, '#d5cdbd')) +
  path('M256 170q4 -66 64 -70q60 4 64 70z', '#fbf8f1') +
  path('M320 100q60 4 64 70h-64z', '#e0d8c8') +
  rect(312, 80, 16, 22, '#f3efe6') +
  rect(319, 30, 2, 52, '#777') +
  path(
    `M321 32q14 ${(6 * turn(t, 5)).toFixed(1)} 34 ${(3 * turn(t + 0.1, 5)).toFixed(1)}v20q-20 ${(-6 * turn(t, 5)).toFixed(1)} -34 0z`,
    '#b8323c',
  ) +
  // The fountain in front.
  many(24, (i) => {
    const age = (t * 10 + i / 24) % 1;
    const side = (i % 2 ? 1 : -1) * (10 + 34 * spread(i));
    return disc(320 + side * age, 338 - 120 * age * (1 - age), 2.4, '#cfeaf5');
  }) +
  path('M250 338h140l-14 12H264z', '#bdb6a6');

const entertainment: Scene = (t) => {
  const colors = ['#ff4fa3', '#4fd2ff', '#ffd24f', '#8dff6b'];
  return (
    sky('#12061f', '#2a1040') +
    many(4, (i) => {
      const lean = 150 * turn(t * 2 + i / 4);
      const x = 110 + i * 140;
      return `<g opacity=".35">${path(`M${x} 0L${x + lean - 46} 290L${x + lean + 46} 290z`, colors[i]!)}</g>`;
    }) +
    rect(40, 40, 560, 10, '#3b3350') +
    many(36, (i) => {
      const height = 24 + 90 * Math.abs(turn(t * 5 + spread(i))) * (0.4 + spread(i, 2));
      return rect(50 + i * 15, 270 - height, 10, Number(height.toFixed(1)), colors[i % 4]!);
    }) +
    rect(0, 270, WIDTH, 90, '#0b0413') +
    // People in front of the stage.
    many(17, (i) => {
      const x = 12 + i * 39;
      const y = 292 - 10 * Math.abs(turn(t * 5 + i / 7));
      return (
        disc(x, y, 13, '#050209') +
        rect(x - 15, y + 10, 30, 90, '#050209') +
        rect(x + (i % 2 ? 9 : -15), y - 28, 6, 36, '#050209')
      );
    })
  );
};

const resort: Scene = (t) => {
  const [x, y, radius, cabins] = [390, 170, 112, 12];
  const at = (i: number) => 2 * Math.PI * (i / cabins + t / 4);
  return (
    sky('#1c2350', '#d87a6a') +
    stars(t, 90) +
    many(
      5,
      (i) => rect(20 + i * 46, 190 + 26 * spread(i, 4), 40, 110, '#2a2f57') + windows(t, 24 + i * 46, 220, 2, 4),
    ) +
    many(cabins, (i) => {
      const [dx, dy] = [radius * Math.cos(at(i)), radius * Math.sin(at(i))];
      const light = ['#ff5d8f', '#ffd24f', '#5de0ff'][i % 3]!;
      return (
        `<path d="M${x} ${y}L${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}" stroke="#cfd6f5" stroke-width="1.4"/>` +
        rect(x + dx - 8, y + dy, 16, 13, light)
      );
    }) +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="#e9edff" stroke-width="3"/>` +
    path(`M${x - 4} ${y}L${x - 62} 300h14L${x} ${y}L${x + 48} 300h14L${x + 4} ${y}z`, '#aab2d8') +
    wave(t, 300, 4, 190, 3, '#2b3f78') +
    wave(t, 326, 5, 250, -3, '#22326a')
  );
};

const street: Scene = (t) => {
  const car = (from: number, times: number, y: number, color: string) => {
    const x = across(t, from, times, 90);
    return (
      path(`M${x - 40} ${y}h80v-14l-16 -4l-12 -16h-32l-12 16h-8z`, color) +
      path(`M${x - 18} ${y - 20}l9 -11h22l9 11z`, '#cfe3ee') +
      disc(x - 22, y, 8, '#15161c') +
      disc(x + 22, y, 8, '#15161c')
    );
  };
  const isGreen = t < 0.5;
  return (
    sky('#8fb8d6', '#f3d9c1') +
    cloud(across(t, 500, 1), 36) +
    many(7, (i) => {
      const height = 110 + 70 * spread(i, 5);
      const fill = ['#a4574a', '#c98f62', '#7f8f6a', '#8a5a6d', '#b8784e', '#5f7787', '#a86a58'][i]!;
      return (
        rect(i * 94 - 6, 250 - height, 90, Number(height.toFixed(1)), fill) + windows(t, i * 94 + 6, 268 - height, 5, 4)
      );
    }) +
    rect(0, 250, WIDTH, 26, '#b7b1a6') +
    rect(0, 276, WIDTH, 84, '#3c3f48') +
    many(9, (i) => rect(i * 80, 316, 44, 4, '#e8e2c8')) +
    car(60, 2, 306, '#c23b3b') +
    car(420, 2, 306, '#e0a82e') +
    car(200, -3, 350, '#2f6fb0') +
    car(560, -3, 350, '#eeeeee') +
    many(5, (i) => {
      const x = across(t, i * 170, i % 2 ? 1 : -1);
      const step = 5 * turn(t, 12 + i);
      return (
        disc(x, 232, 5, '#5b4030') +
        rect(x - 4, 237, 8, 17, ['#31473a', '#7a2f4a', '#2c3e6b', '#c7a33a', '#555'][i]!) +
        `<path d="M${x} 254l${step.toFixed(1)} 14M${x} 254l${(-step).toFixed(1)} 14" stroke="#222" stroke-width="3"/>`
      );
    }) +
    rect(586, 170, 5, 96, '#2b2d33') +
    rect(576, 166, 24, 46, '#2b2d33') +
    disc(588, 178, 7, isGreen ? '#4b1f22' : '#ff4b4b') +
    disc(588, 200, 7, isGreen ? '#4dff88' : '#1d4029')
  );
};

/** One scene for each kind of place, drawn for this project, so there is no third-party footage. */
export const scenes: Record<LivestreamCategory, Scene> = {
  Landmark: landmark,
  Waterfront: waterfront,
  Government: government,
  'Entertainment District': entertainment,
  'Waterfront Resort': resort,
  'Street Views': street,
};

/** The picture at `t`, as an SVG, labeled as generated. */
export const pictureAt = (scene: Scene, t: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${scene(t)}` +
      `<g font-family="DejaVu Sans, sans-serif" font-weight="700" font-size="15">` +
      `<rect x="12" y="12" width="174" height="28" rx="14" fill="#0b101f" opacity=".8"/>` +
      `<text x="26" y="31.5" fill="#fff">DEMO: a drawing</text></g></svg>`,
  );
