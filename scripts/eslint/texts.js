/** What is in catalogues already: a folder or a file more with each that is translated, until nothing of the page is left. */
export const TRANSLATED = [
  'frontend/src/{layout,ui}/**/*.{ts,tsx}',
  'frontend/src/lib/card-form/*.{ts,tsx}',
  'frontend/src/lib/{device-position,engagement,event-facts,form,format,http,page-title}.ts',
  'frontend/src/lib/{event-lines,event-tile,paged-list,suggested-events}.tsx',
  'frontend/src/features/{checkout,event-page,home,organizer,tickets}/**/*.{ts,tsx}',
  'frontend/src/features/auth/{account-email,account-password,account-sessions,account-type,code-form,demo-accounts,forgot-form,login-form,notice,passkey-sign-in,referral-note,register-form,reset-form}.tsx',
  'frontend/src/features/auth/{api,passkeys-api,strength}.ts',
  'frontend/src/features/auth/strength-meter.tsx',
  'frontend/src/features/gallery/**/*.{ts,tsx}',
  'frontend/src/routes/{admin-gallery,gallery}.tsx',
  'frontend/src/features/top-picks/**/*.{ts,tsx}',
  'frontend/src/routes/{admin-top-picks,top-picks}.tsx',
  'frontend/src/features/{ads,advertise}/**/*.{ts,tsx}',
  'frontend/src/routes/{ad,ad-checkout,ad-checkout-success,ad-pricing,admin-ads}.tsx',
  'frontend/src/features/promotion/**/*.{ts,tsx}',
  'frontend/src/routes/{livestream-checkout,promotion-checkout,promotion-success}.tsx',
  'frontend/src/features/live/**/*.{ts,tsx}',
  'frontend/src/routes/studio.tsx',
  'frontend/src/features/points/**/*.{ts,tsx}',
  'frontend/src/routes/{community-badges,community-challenges,community-leaderboard,profile}.tsx',
  'frontend/src/features/community/**/*.{ts,tsx}',
  'frontend/src/routes/{community,community-post,community-question,community-questions}.tsx',
  'frontend/src/features/connections/**/*.{ts,tsx}',
  'frontend/src/routes/community-connections.tsx',
  'frontend/src/features/referrals/**/*.{ts,tsx}',
  'frontend/src/routes/{admin-referrals,community-referrals}.tsx',
  'frontend/src/features/tonight/**/*.{ts,tsx}',
  'frontend/src/routes/tonight.tsx',
  'frontend/src/features/events/**/*.{ts,tsx}',
  'frontend/src/lib/{event-form,map,refunds}/*.{ts,tsx}',
  'frontend/src/features/launch/**/*.{ts,tsx}',
  'frontend/src/features/{dashboard,disputes,payouts}/**/*.{ts,tsx}',
  'frontend/src/lib/{chat-guest,copy-text,error-report,save-file,upload-with-progress}.ts',
  'frontend/src/lib/{ad-card,bar-chart,contact-link,event-picture}.tsx',
  'frontend/src/lib/managed-order/*.{ts,tsx}',
  'frontend/src/routes/{attendees,dashboard,disputes,payouts-refresh,payouts-return}.tsx',
  'frontend/src/features/{customers,revenue}/**/*.{ts,tsx}',
  'frontend/src/routes/{admin,customers}.tsx',
  'frontend/src/features/ops/**/*.{ts,tsx}',
  'frontend/src/routes/ops.tsx',
  'frontend/src/features/account/**/*.{ts,tsx}',
  'frontend/src/features/{chat,comments,contact,embed,moderation,notifications,weather}/**/*.{ts,tsx}',
  'frontend/src/lib/{report-dialog,weather}.tsx',
  'frontend/src/routes/{account,contact-messages,forgot-password,moderation,moderation-appeal,moderation-mine,reported-comments,reset-password,unsubscribe,verify-email}.tsx',
  'frontend/src/routes/{auth,event,home,my-tickets,ticket-checkout,ticket-success}.tsx',
];

/** A catalogue, in whatever language. */
const CATALOGUE = /(^|[/\\])(\w+\.)?(texts|said)(\.[a-z]{2})?\.ts$/;

/** Some words, of which the first begins with a capital letter or the last ends as a sentence does. Classes and codes do neither. */
const SENTENCE = /^\p{Lu}[\p{L}’']*[,:]?\s+\S|\s.*\p{L}{2,}[.!?…]$/u;

/** What is not shown: an error that only developers read, a console, a class. */
const isHidden = (node) => {
  for (let at = node.parent; at; at = at.parent) {
    if (at.type === 'NewExpression' && /Error$/.test(at.callee.name ?? '')) return true;
    if (at.type === 'CallExpression' && at.callee.type === 'Super') return true;
    if (at.type === 'CallExpression' && at.callee.type === 'MemberExpression' && at.callee.object.name === 'console')
      return true;
    if (at.type === 'JSXAttribute' && /^(className|class|sizes|d)$/.test(String(at.name.name))) return true;
    if (/^(Import|Export(All|Named))Declaration$|Function|Statement$/.test(at.type) && at.source) return true;
  }
  return false;
};

/** No sentence for people outside of JSX either: of a toast, a title, a variable. */
export const noSentence = {
  meta: { type: 'problem', schema: [], messages: { sentence: 'A text for people stands in a catalogue: {{text}}' } },
  create(context) {
    if (CATALOGUE.test(context.filename)) return {};
    const check = (node, text) => {
      if (SENTENCE.test(text.trim()) && !isHidden(node))
        context.report({ node, messageId: 'sentence', data: { text: text.trim().slice(0, 40) } });
    };
    return {
      Literal: (node) =>
        typeof node.value === 'string' && node.parent.type !== 'JSXAttribute' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};
