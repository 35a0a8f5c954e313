/*
 * Says whether a form of this page was submitted: pages that poll the server must not navigate
 * away then, or the form's answer would be lost.
 */
let leaving = false;

document.addEventListener("submit", (event) => {
  leaving ||= !event.defaultPrevented;
});

export function isLeaving() {
  return leaving;
}
