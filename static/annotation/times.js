/* Shows times in the reader's time zone; the server writes them in UTC. */

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-local]")) {
  time.textContent = format.format(new Date(time.dateTime));
}
