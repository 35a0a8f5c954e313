// Shows the schema with Swagger UI, whose script makes SwaggerUIBundle global.
const place = document.getElementById("swagger-ui");
const dark = matchMedia("(prefers-color-scheme: dark)");

// Swagger UI has a dark look for pages whose root element has this class.
function look() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

look();
dark.addEventListener("change", look);

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  docExpansion: "list",
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    if (!["GET", undefined].includes(request.method)) request.headers["X-CSRFToken"] = csrfToken();
    return request;
  },
  onComplete() {
    // Swagger UI puts the operations into a <main>, but the page has one.
    place.querySelector("main")?.setAttribute("role", "group");
  },
});
