/* Sends people back to their platform, in time to read that they are; without this they press the button. */

const WAIT = 3000;

const way = document.querySelector("[data-leave]");
// In the place of this page, so that the way back in the browser does not lead here and away again.
setTimeout(() => location.replace(way.href), WAIT);
