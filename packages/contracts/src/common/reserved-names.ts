// Names that only Beltway and its moderators may have (services/identity/PRODUCT.md#names).

/**
 * Letters of other scripts, digits and signs that look like Latin letters. Characters that Unicode decomposes are not
 * listed.
 */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аαɑᴀ4@',
  b: 'вβьЬʙ8',
  c: 'сϲᴄ¢',
  d: 'ԁɗđᴅ',
  e: 'еεєёɛᴇ3€ә',
  f: 'ғƒꜰ',
  g: 'ɡġցɢ96',
  h: 'һнհʜ',
  // `i`, `l`, `1` and `|` look alike in many typefaces, so all of them fold to `i`.
  i: 'lіιıɪӏʟ1|!ǀ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  m: 'мᴍ',
  n: 'ոпηɴ',
  o: 'оοσօᴏ0øө',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀ',
  s: 'ѕꜱ5$§',
  t: 'тτᴛ7+',
  u: 'υսцᴜ',
  v: 'νѵᴠ',
  w: 'ѡԝωшᴡ',
  x: 'хχ×',
  y: 'уүγʏ',
  z: 'ᴢ2',
};
const FOLDED = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Enclosed letters that Unicode does not decompose: `🅐`, `🅰`, `🇦`. */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6];
function enclosed(character: string): string | undefined {
  const code = character.codePointAt(0)!;
  const from = ENCLOSED.find((first) => code >= first && code < first + 26);
  return from === undefined ? undefined : String.fromCodePoint(code - from + 97);
}

/** Folds a text to lower-case Latin letters. Everything between words becomes a blank. */
function fold(text: string, withSigns: boolean): string {
  const plain = text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  const letters = [...plain].map((one) => {
    const latin = enclosed(one) ?? one;
    const isSign = !/\p{L}/u.test(latin);
    return (withSigns || !isSign ? FOLDED.get(latin) : undefined) ?? (/^[a-z]$/.test(latin) ? latin : ' ');
  });
  // Pairs of letters that look like one letter.
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Words that denote Beltway and its staff, in English and Spanish. Their plurals are reserved too. */
const RESERVED = [
  ...['beltway', 'admin', 'administrator', 'administration', 'moderator', 'moderation', 'staff', 'support'],
  ...['organizer', 'organiser', 'system', 'security', 'helpdesk', 'root', 'mod', 'host', 'postmaster', 'webmaster'],
  ...[
    'administrador',
    'administradora',
    'moderador',
    'moderadora',
    'organizador',
    'organizadora',
    'soporte',
    'sistema',
  ],
];
/** Words that often accompany reserved words. */
const BESIDE = [
  ...['the', 'official', 'team', 'help', 'service', 'customer', 'care', 'event', 'chat', 'account', 'your', 'our'],
  ...['of', 'for', 'and', 'from', 'at', 'el', 'la', 'de', 'del', 'equipo', 'oficial', 'ayuda', 'cliente', 'evento'],
];
const folded = (words: readonly string[]) => words.map((word) => fold(word, false).trim());
/** The plural ending of both languages. */
const ENDING = '(?:e?s)?';
const WORD = new RegExp(`^(?:${folded([...RESERVED, ...BESIDE]).join('|')})${ENDING}$`);
const RESERVED_WORD = new RegExp(`^(?:${folded(RESERVED).join('|')})${ENDING}$`);
/**
 * Words that are recognized even when joined without blanks. Short words are omitted, because other names begin or end
 * with them.
 */
const LONG = folded([...RESERVED, ...BESIDE]).filter((word) => word.length >= 3 && word !== 'mod');
const LONG_RESERVED = folded(RESERVED).filter((word) => word.length >= 5);
const JOINED = new RegExp(
  `^(?:(?:${LONG.join('|')})${ENDING})*(?:${LONG_RESERVED.join('|')})${ENDING}(?:(?:${LONG.join('|')})${ENDING})*$`,
);

/**
 * True if a name pretends to belong to Beltway: the name consists of reserved words and accompanying words, even with
 * moved or missing spaces, invisible characters, accents or look-alike letters. "Beltway Brewing" is allowed.
 */
export function isReservedName(name: string): boolean {
  return [true, false].some((withSigns) => {
    const words = fold(name, withSigns).split(' ').filter(Boolean);
    const isOfWords = words.every((word) => WORD.test(word)) && words.some((word) => RESERVED_WORD.test(word));
    return isOfWords || JOINED.test(words.join(''));
  });
}
