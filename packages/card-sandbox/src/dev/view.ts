import { testCards, type Behavior } from '../cards.ts';
import { html, price, type Html } from './page.ts';
import type { DeliveryState, EventState, IntentState, State } from './state.ts';

const modes: Array<[State['webhooks']['mode'], string, string]> = [
  ['normal', 'Normal', 'at once'],
  ['late', 'Late', 'after the seconds below'],
  ['doubled', 'Doubled', 'every event twice'],
  ['shuffled', 'Shuffled', 'order mixed within the seconds below'],
  ['lost', 'Lost', 'held until you let them go'],
];

const tone = (behavior: Behavior): string =>
  behavior.kind === 'succeeds' ? 'good' : behavior.kind === 'challenge' ? 'ask' : 'bad';
const grouped = (number: string): string =>
  number.length === 15 ? number.replace(/(\d{4})(\d{6})(\d{5})/, '$1 $2 $3') : number.replace(/(\d{4})(?=\d)/g, '$1 ');

/** The page at /dev/payments; `app.js` refreshes the part marked data-live every few seconds. */
export function devView(state: State, webhookUrl: string): Html {
  return html` <header>
      <p class="bank">Beltway sandbox</p>
      <h1>Card payments</h1>
      <p class="quiet">
        Speaks Stripe's API on this machine. No card is charged, no money moves. Webhooks go to
        <code>${webhookUrl}</code>.
      </p>
    </header>
    <section aria-labelledby="cards-title">
      <h2 id="cards-title">Test cards</h2>
      <p class="quiet">Click a number to copy it. Any date to come, any security code.</p>
      <ul class="cards">
        ${testCards.map(
          (card) =>
            html`<li>
              <button type="button" class="card ${tone(card.behavior)}" data-copy="${card.number}">
                <span class="number">${grouped(card.number)}</span>
                <span class="what"><span class="brand">${card.brand}</span> ${card.title}</span>
              </button>
            </li>`,
        )}
      </ul>
    </section>
    <section aria-labelledby="hooks-title">
      <h2 id="hooks-title">Webhooks</h2>
      <form data-webhooks>
        <fieldset>
          <legend class="hidden">How webhooks behave</legend>
          <div class="modes">
            ${modes.map(
              ([mode, name, what]) =>
                html`<label
                  ><input
                    type="radio"
                    name="mode"
                    value="${mode}"
                    ${mode === state.webhooks.mode ? html` checked` : ''}
                  /><span><strong>${name}</strong> <small>${what}</small></span></label
                >`,
            )}
          </div>
          <label class="seconds"
            >Seconds
            <input
              name="seconds"
              inputmode="decimal"
              pattern="[0-9]{1,4}([.][0-9]+)?"
              required
              value="${state.webhooks.seconds}"
          /></label>
        </fieldset>
      </form>
    </section>
    <section aria-labelledby="recent-title">
      <div class="row">
        <h2 id="recent-title">Recent payments</h2>
        <button type="button" data-deliver-all>Deliver all now</button>
      </div>
      <div data-live>${live(state)}</div>
    </section>
    <p class="toast" role="status" aria-live="polite" data-toast></p>`;
}

function live({ queue, intents, api }: State): Html {
  return html` ${api.mode === 'normal' ? '' : html`<p class="note">The API is set to <strong>${api.mode}</strong>.</p>`}
    <p class="queue">
      <span>${queue.delivered} delivered</span><span>${queue.pending} waiting</span><span>${queue.held} held</span
      ><span>${queue.failed} given up</span>
    </p>
    ${
      intents.length === 0
        ? html`<p class="empty">No payments yet. Buy a ticket and come back.</p>`
        : html`<ol class="intents">
            ${intents.map(intentView)}
          </ol>`
    }`;
}

const statusTone = (status: string): string =>
  status === 'succeeded' ? 'good' : status === 'requires_action' || status === 'processing' ? 'ask' : 'plain';

const intentView = (intent: IntentState): Html =>
  html`<li class="intent">
    <div class="row">
      <strong class="amount">${price(intent.amount, intent.currency)}</strong>
      <span class="pill ${intent.refunded > 0 ? 'ask' : statusTone(intent.status)}"
        >${intent.refunded > 0 ? (intent.refunded < intent.amount ? 'partly refunded' : 'refunded') : intent.status.replaceAll('_', ' ')}</span
      >
    </div>
    <p class="quiet">
      ${intent.description ?? 'No description'}${intent.card ? html` · ${intent.card}` : ''}${intent.error ? html` · <span class="bad-text">${intent.error}</span>` : ''}
    </p>
    <p class="quiet small">
      <code>${intent.id}</code> ·
      <time datetime="${new Date(intent.created * 1000).toISOString()}"
        >${clock(new Date(intent.created * 1000).toISOString())}</time
      >
    </p>
    ${intent.status === 'succeeded' ? bankView(intent) : ''}
    <details data-keep="${intent.id}">
      <summary>${intent.events.length} event${intent.events.length === 1 ? '' : 's'}</summary>
      <ul class="events">
        ${intent.events.map(eventView)}
      </ul>
    </details>
  </li>`;

type Button = (text: string, path: string, body?: object) => Html;

/** Actions of the dashboard and the buyer's bank on a paid payment. */
function bankView({ id, amount, currency, refunded, disputed, refunds, disputes }: IntentState): Html {
  const left = amount - refunded;
  const button: Button = (text, path, body = {}) =>
    html`<button type="button" class="small" data-act="${path}" data-body="${JSON.stringify(body)}">${text}</button> `;
  return html`<div class="bank-acts">
    ${
      left > 0 && !disputed
        ? html`${button('Refund all', `/intents/${id}/refund`)}${
            left > 1
              ? button(`Refund ${price(Math.floor(left / 2), currency)}`, `/intents/${id}/refund`, {
                  amount: Math.floor(left / 2),
                })
              : ''
          }${button('Dispute', `/intents/${id}/dispute`)}`
        : ''
    }
    ${
      disputed
        ? ''
        : html`<form class="amount" data-act-form="/intents/${id}/dispute">
            <label
              >${currency.toUpperCase()}
              <input
                name="amount"
                inputmode="decimal"
                pattern="[0-9]{1,6}([.][0-9]{1,2})?"
                required
                value="${((left > 0 ? left : amount) / 100).toFixed(2)}"
            /></label>
            <button class="small">Dispute this much</button>
            <button class="small" name="isInquiry" value="true">Inquire only</button>
          </form>`
    }
    ${refunds.map(
      (refund) =>
        html`<p class="quiet small">
          <code>${refund.id}</code> · ${price(refund.amount, currency)} refund ${refund.status}
          ${refund.status === 'succeeded' ? button('Let it fail', `/refunds/${refund.id}/fail`) : ''}
        </p>`,
    )}
    ${disputes.map(
      (dispute) =>
        html`<p class="quiet small">
          <code>${dispute.id}</code> · ${price(dispute.amount, currency)} dispute ${dispute.status.replaceAll('_', ' ')}
          ${disputeActs(dispute, button)}
        </p>`,
    )}
  </div>`;
}

function disputeActs({ id, status }: IntentState['disputes'][number], button: Button): Html[] {
  switch (status) {
    case 'warning_needs_response':
      return [
        button('Close it', `/disputes/${id}/close`, { outcome: 'won' }),
        button('Make it a dispute', `/disputes/${id}/escalate`),
      ];
    case 'lost':
      return [button('Win it after all', `/disputes/${id}/reverse`)];
    case 'won':
    case 'warning_closed':
      return [];
    default:
      return [
        button('Win it', `/disputes/${id}/close`, { outcome: 'won' }),
        button('Lose it', `/disputes/${id}/close`, { outcome: 'lost' }),
      ];
  }
}

const eventView = (event: EventState): Html =>
  html`<li>
    <div class="row">
      <span><code>${event.type}</code> ${event.deliveries.map(deliveryView)}</span>
      <button type="button" class="small" data-deliver="${event.id}">
        ${event.deliveries.some((delivery) => delivery.state === 'delivered') ? 'Redeliver' : 'Deliver now'}
      </button>
    </div>
    ${event.deliveries.flatMap((delivery) =>
      delivery.log.map(
        (attempt) =>
          html`<p class="attempt ${attempt.status !== null && attempt.status < 300 ? '' : 'bad-text'}">
            ${clock(attempt.at)} · ${attempt.status ?? attempt.error ?? 'no answer'} · ${attempt.ms} ms
          </p>`,
      ),
    )}
  </li>`;

const deliveryView = ({ state, due }: DeliveryState): Html =>
  html`<span
    class="pill ${state === 'delivered' ? 'good' : state === 'failed' ? 'bad' : state === 'held' ? 'ask' : 'plain'}"
    >${state}${state === 'pending' && due ? html` · due ${clock(new Date(due).toISOString())}` : ''}</span
  > `;

const clock = (iso: string): string => iso.slice(11, 19);
