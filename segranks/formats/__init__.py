"""How Django writes dates and times: as `static/annotation/times.js` does in the browser."""
