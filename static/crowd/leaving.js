/* Redirects participants to their platform after a moment; without this, they press the button. */

const WAIT = 3000;

const link = document.querySelector("[data-leave]");
// `replace`, so that the browser's back button does not return here and redirect again.
setTimeout(() => location.replace(link.href), WAIT);
