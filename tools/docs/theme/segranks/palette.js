// Set the colours before the page is painted: those that the reader chose, or those of the device.
{
  const chosen = __md_get("__palette")?.color;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const byDevice = !chosen?.media || chosen.media === "(prefers-color-scheme)";
  const scheme = byDevice ? (dark ? "slate" : "default") : chosen.scheme;
  document.body.setAttribute("data-md-color-scheme", scheme);
}
