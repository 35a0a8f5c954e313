/*
 * Whether a form of this page was sent. What looks for news by itself must not lead elsewhere then:
 * nobody would see the form's answer.
 */
let leaving = false;

document.addEventListener("submit", (event) => {
  leaving ||= !event.defaultPrevented;
});

export function isLeaving() {
  return leaving;
}
