/* Puts times into the reader's own time zone; as they came they are in UTC, and say so. */

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-local]")) {
  time.textContent = format.format(new Date(time.dateTime));
}
