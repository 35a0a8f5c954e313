/* Talking to the server: every answer is a status and data, status 0 where there was none. */
const PATIENCE = 20_000;
const LONGEST_WAIT = 60_000;

/** Send JSON; return { status, data }. A protection token that is too old is renewed once. */
export async function send(method, url, body, { last = false } = {}) {
  const answer = await ask(method, url, body, last);
  const tooOld = answer.status === 403 && String(answer.data.detail).startsWith("CSRF");
  if (!tooOld) return answer;
  // Any page of ours brings a new one as a cookie.
  await fetch("/sign-in/", { cache: "no-store" }).catch(() => null);
  return ask(method, url, body, last);
}

async function ask(method, url, body, last) {
  try {
    const response = await fetch(url, {
      method,
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() },
      body: JSON.stringify(body),
      // The page may be closing.
      keepalive: last,
      signal: AbortSignal.timeout(PATIENCE),
    });
    // What is refused needs no data; without those of an answer that took it, nobody knows what was
    // taken: that is as if the network had failed, as when the page is left meanwhile.
    const isNeeded = response.ok && response.status !== 204;
    const data = await (isNeeded ? response.json() : response.json().catch(() => ({})));
    return { status: response.status, data };
  } catch {
    return { status: 0, data: {} };
  }
}

// Another window may have signed in again meanwhile: its token is the one that holds.
function csrfToken() {
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

/** A UUID; crypto.randomUUID is missing where the page came over plain HTTP. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Something to be tried again: after longer and longer waits, and at once when there is hope. */
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
    this.#timer = setTimeout(() => this.#now(), Math.min(1000 * 2 ** this.#failures, LONGEST_WAIT));
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
