/* Shows times in the reader's time zone; the server writes them in UTC. */

const { lang } = document.documentElement;
// Of English, say, the one that the reader's browser prefers: its order of day and month differs.
const locale = navigator.languages.find((each) => each === lang || each.startsWith(`${lang}-`)) ?? lang;
const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-local]")) {
  time.textContent = format.format(new Date(time.dateTime));
}
