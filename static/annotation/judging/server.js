/* Requests to the server. Every answer is a status and data; status 0 means no answer. */
// Milliseconds.
const TIMEOUT = 20_000;
const MAX_WAIT = 60_000;
// Another account may have signed in in this browser since the page was made.
const annotator = document.querySelector("[data-annotator]")?.dataset.annotator ?? "";

/** Send JSON; return { status, data }. An old CSRF token is renewed once. */
export async function send(method, url, body, { last = false, controller = new AbortController() } = {}) {
  const answer = await ask(method, url, body, last, controller);
  const tooOld = answer.status === 403 && String(answer.data.detail).startsWith("CSRF");
  if (!tooOld) return answer;
  // Any page sets a new one as a cookie.
  await fetch("/sign-in/", { cache: "no-store" }).catch(() => null);
  return ask(method, url, body, last, controller);
}

async function ask(method, url, body, last, controller) {
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": csrfToken(),
        "X-Annotator": annotator,
      },
      body: JSON.stringify(body),
      // The page may be closing.
      keepalive: last,
      signal: controller.signal,
    });
    // The data of a successful answer are needed: if they break off, because the page is being left,
    // the request counts as unanswered. A refusal needs none.
    const isNeeded = response.ok && response.status !== 204;
    const data = await (isNeeded ? response.json() : response.json().catch(() => ({})));
    return { status: response.status, data };
  } catch {
    return { status: 0, data: {} };
  } finally {
    clearTimeout(timer);
  }
}

// Read each time: another window may have signed in again and got a new token.
function csrfToken() {
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

/** Return a UUID; crypto.randomUUID does not exist on pages over plain HTTP. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Repeats an action after growing delays, and at once when the network or the reader is back. */
export class Retry {
  #action;
  #failures = 0;
  #timer = 0;

  constructor(action) {
    this.#action = action;
    window.addEventListener("online", () => this.#now());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#now();
    });
  }

  later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), Math.min(1000 * 2 ** this.#failures, MAX_WAIT));
    this.#failures += 1;
  }

  get waiting() {
    return this.#failures > 0;
  }

  done() {
    clearTimeout(this.#timer);
    this.#timer = this.#failures = 0;
  }

  #now() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#action();
  }
}
