/** Words that English texts on screen avoid, with what to write instead. */
export const AVOIDED: ReadonlyArray<readonly [words: RegExp, instead: string]> = [
  [/\b(organis|neighbour|cancell(ed|ing)|colour|centre|favourite|labell)/i, 'American spelling'],
  [/\b(kilo)?metres?\b|\bcatalogues?\b/i, 'American spelling'],
  [/\b(some|no|any|every)body\b|\bwho(m|ever)\b/i, 'someone, no one, anyone, everyone, who'],
  [/\bmail(s|ed|ing|box|boxes)?\b(?! server)/i, 'email, inbox'],
  [/\bpictures?\b/i, 'photo; of a stream: video, signal'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/(?<!requests |payments |signing in )\bat once\b/i, 'right away'],
  [/\b(anew|meanwhile|for ever|mend(ed|s)?)\b/i, 'again, since then, forever, fix'],
  [/\bstands\b|\bstand here\b|\blet it stand\b/i, 'is, appears, keep'],
  [/\bof yours\b/i, 'your'],
  [/\b(another|for a) look\b|\blooks? at (it|this|everything)\b/i, 'review'],
  [/\bcould not be\b|\bcannot be\b/i, 'who cannot do it: We couldn’t load …'],
  [/\b(is|are) loading\b/i, 'Loading …'],
  [/\b(is|are|was|were) told\b/i, 'we’ll email you'],
  [/\bbaskets?\b/i, 'cart'],
  [/\bwhole price\b/i, 'full refund'],
  [/\bthis Beltway\b|\bpeople of Beltway\b/i, 'this server, our team'],
  [/\bwhat is on\b/i, 'what’s on'],
  [/\bnot (there |\w+ed )?any more\b|\bno more\.?$/i, 'no longer'],
  [/\blog ?in\b/i, 'sign in'],
];

/** Names, which keep their capital letters. */
export const NAMES =
  /\b(Beltway|Google Calendar|District|Facebook|Twitter|Instagram|WhatsApp|JSON|PDF|CSV|TBD|ON AIR)\b/g;

/** Matches texts in title case: ‘Sold Out’. */
export const TITLE_CASE = /^\p{Lu}[\w’]*(?: (?:\p{Ll}{1,3} )?\p{Lu}[\w’]*)+$/u;

/** Texts that the specification fixes, by catalog and key. */
export const SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  'features/account/texts': ['explorer', 'owner'],
  'features/advertise/texts': ['getStarted', 'contactSalesButton', 'setupError', 'paid', 'failed'],
  'features/auth/links.texts': ['myTickets'],
  'features/auth/texts': ['explorer', 'owner', 'login', 'loginFailed'],
  'features/checkout/texts': ['eventNotFound', 'myTickets', 'soldOut', 'notAvailable', 'setupError', 'purchased'],
  'features/contact/texts': ['title', 'missing', 'sent'],
  'features/customers/texts': ['loadMore'],
  'features/dashboard/texts': ['business', 'launch', 'notFound'],
  'features/event-page/texts': ['notFound', 'soldOut', 'buy'],
  'features/events/texts': [
    ...['buy', 'soldOut', 'getTickets', 'viewMenu', 'learnMore', 'clearFilters', 'more', 'featuredEvents', 'beFirst'],
    ...['submitFeatured', 'happeningNow'],
  ],
  'features/events/share.texts': ['copyLink', 'linkCopied'],
  'features/events/views.texts': ['more'],
  'features/gallery/texts': [
    ...['tooLarge', 'titleMissing', 'eventMissing', 'imageMissing', 'uploadPhoto', 'getVerified', 'uploaded'],
    ...['uploadFailed'],
  ],
  'features/home/promos.texts': ['viewPackages', 'contactSales', 'launch'],
  'features/home/texts': ['launch', 'contactUs', 'checkRevenue', 'adminDashboard', 'viewCustomers'],
  'features/launch/texts': [
    ...['created', 'addNew', 'title', 'description', 'eventDate', 'eventStartTime', 'location', 'contactEmail'],
    ...['wrongEmail', 'wrongPrice', 'wrongTotal', 'missing'],
  ],
  'features/live/texts': ['resort', 'street'],
  'features/ops/texts': ['user', 'business'],
  'features/promotion/packages.texts': ['mostPopular', 'paid', 'livestreamPaid'],
  'features/promotion/texts': [
    ...['checkoutError', 'launch', 'configRequired', 'payLivestream', 'configureFirst', 'eventNotFound'],
    ...['payPromotion'],
  ],
  'features/revenue/texts': ['adminRevenue', 'viewCustomers', 'overview'],
  'features/tickets/texts': ['myTickets', 'checkedIn', 'none', 'purchased'],
  'features/tonight/texts': ['soldOut'],
  'features/top-picks/player.texts': ['linkCopied'],
  'features/top-picks/texts': ['signInFirst', 'topPicks', 'signInFirstWhy'],
  'features/top-picks/upload.texts': ['wrongType', 'tooLarge', 'missing', 'uploaded', 'uploadFailed'],
  'layout/texts': [
    ...['sellTickets', 'myTickets', 'adminRevenue', 'launch', 'signOutOfMenu', 'contactUs', 'topPicks'],
    ...['loginRegister'],
  ],
  'lib/card-form/texts': ['paymentError', 'paymentFailed', 'setupError'],
  'lib/event-form/texts': ['imageUploaded', 'uploadFailed', 'wrongType', 'tooLarge'],
  'lib/i18n/texts': ['soldOut'],
};
