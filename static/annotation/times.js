/* Shows times in the reader's time zone; the server writes them in its own, and names it. */

const { lang } = document.documentElement;
// Of English, say, the one that the reader's browser prefers: its order of day and month differs.
const locale = navigator.languages.find((each) => each === lang || each.startsWith(`${lang}-`)) ?? lang;
const formats = {
  time: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }),
};

/** Rewrite the times in a part of the page. */
export function showTimes(part) {
  for (const time of part.querySelectorAll("time[data-local]")) {
    time.textContent = formats[time.dataset.local].format(new Date(time.dateTime));
  }
}

showTimes(document);
